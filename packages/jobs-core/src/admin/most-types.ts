/** So many types are told one by one, and the others together: who may enqueue may invent types. */
export const mostTypes = 100
