import { nb } from '../nb/index.ts'
/** x */
export const en: Record<keyof typeof nb, string> = nb
