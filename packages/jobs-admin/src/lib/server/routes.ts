import type { Route } from './route.ts'

/** Every endpoint. Each lies in a file of its own below endpoints/. */
export const routes: readonly Route[] = []
