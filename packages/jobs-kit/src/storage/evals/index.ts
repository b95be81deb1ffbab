export { listPromptEvals, type StoredPromptEval } from './list-prompt-evals.ts'
export type { PromptEval } from './prompt-eval.ts'
export { replacePromptEvals } from './replace-prompt-evals.ts'
