import type { DemoUser } from './lib/demo-users.ts'

declare global {
  namespace App {
    interface Locals {
      /** Who is signed in. */
      user: DemoUser | null
    }
  }
}
