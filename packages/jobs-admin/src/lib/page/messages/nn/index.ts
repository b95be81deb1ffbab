import { nb } from '../nb/index.ts'
/** x */
export const nn: Record<keyof typeof nb, string> = nb
