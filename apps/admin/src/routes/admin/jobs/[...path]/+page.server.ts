import { jobs } from '#lib/jobs.server.ts'

export const { load, actions } = jobs.page
