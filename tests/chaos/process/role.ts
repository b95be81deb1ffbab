/** What a process is: a worker, or what an application does once. */
export type Role = 'worker' | 'enqueue' | 'cancel' | 'retry' | 'migrate'
