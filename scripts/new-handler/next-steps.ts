import type { Names } from './names.ts'

/** Everything that the generator has made, while nothing else knows the package. */
export function howToUndo({ kebab, folder, package: name }: Names): string {
  return `delete ${folder} and .changeset/handler-${kebab}.md, and the line "${name}" from package.json, then npx pnpm install`
}

/** What the generator cannot know: printed when it is done. docs/add-a-handler.md has each at length. */
export function describeNextSteps(names: Names, { ai }: { ai: boolean }): string {
  const { type, kebab, folder, package: name } = names
  const what = ai ? 'src/job.ts, src/questions.ts, src/check-points.ts, src/handler.ts' : 'src/job.ts, src/handler.ts'
  return `
Job type ${type} is in ${folder} and works. It passes these as it stands:

  npm test -- --project unit --project database ${folder}
  npm test -- --project repo tests/handler-packages.test.ts

What is left, as docs/add-a-handler.md says:

  1. Make it yours: ${what}, then README.md, test/ and the description in package.json.
  2. If it writes a table: migrations/handlers/NNNN_….sql and migrations/handler-roles/NNNN_….sql, a storage function in packages/jobs-kit/src/storage.
  3. Builds: "${name}": "workspace:^" in the package.json of apps/worker/builds/worker, and of worker-heavy or worker-light; the import in src/worker.ts; npx pnpm install.
  4. Docs: docs/errors.md (new codes), the builds in docs/operations.md, README.md, docs/infra/jobbkø.md.
  5. .changeset/handler-${kebab}.md: what it does, and every other package that changed.
  6. npm run format && npm run schema:update && npm run doors:update, then npm run check && npm test.

Not wanted after all: ${howToUndo(names)}.`
}
