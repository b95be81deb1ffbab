import type { RequestEvent } from '@sveltejs/kit'
import { type Handle, sequence } from '@sveltejs/kit/hooks'
import { expect, expectTypeOf, test } from 'vitest'
import { jobsAdmin } from './jobs-admin.ts'

test('the handle is one that SvelteKit takes, and the host’s functions get SvelteKit’s event', () => {
  const { handle } = jobsAdmin({
    database: {} as never,
    identify: (event: RequestEvent) => {
      expectTypeOf(event.cookies.get('session')).toEqualTypeOf<string | undefined>()
      return null
    },
    authorize: (event) => {
      expectTypeOf(event).toEqualTypeOf<RequestEvent>()
      return false
    },
  })
  expectTypeOf(handle).toExtend<Handle>()
  expect(sequence(handle)).toBeTypeOf('function')
})
