import { defineEnvVars } from '@sveltejs/kit/env'
import { parseDemoUsers } from '#lib/demo-users.ts'
import { building } from '$app/env'

export const variables = defineEnvVars({
  DATABASE_URL: { schema: databaseUrl, description: 'postgres://user:password@host:5432/database, as a login of least rights.' },
  ADMIN_ORIGIN: { schema: (value) => value || undefined, description: 'The origin under which browsers reach this server.' },
  ADMIN_DEMO_USERS: {
    schema: (value) => parseDemoUsers(value),
    description: 'JSON of users that anybody may sign in as. Without it nobody can sign in.',
  },
})

function databaseUrl(value = ''): string {
  if (building || (/^postgres(ql)?:\/\/./.test(value) && URL.canParse(value))) return value
  throw new Error('Expected postgres://user:password@host:5432/database; special characters of the password must be percent-encoded.')
}
