import { JobsError } from './jobs-error.ts'

/** Something about the set-up is wrong (an option, a job type outside the build, a missing folder). The worker exits with 2. */
export class ConfigurationError extends JobsError {
  override readonly name: string = 'ConfigurationError'

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super('configuration', code, message, options)
  }
}
