/** The host's database, as the statements of `@sidelinja/jobs-core/admin` take it. */
export type AdminDatabase = unknown
