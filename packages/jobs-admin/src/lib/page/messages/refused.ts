import { refused as en } from './en/refused.ts'
import type { Lang } from './index.ts'
import { refused as nb } from './nb/refused.ts'
import { refused as nn } from './nn/refused.ts'

/** The texts of what the server shows in place of the page; the page itself does not have them. */
export const refusedTexts: Readonly<Record<Lang, Readonly<Record<keyof typeof nb, string>>>> = { nb, nn, en }
