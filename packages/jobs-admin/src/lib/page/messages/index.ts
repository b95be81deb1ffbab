import { en } from './en/index.ts'
import { nb } from './nb/index.ts'
import { nn } from './nn/index.ts'

/** The languages of the page. */
export type Lang = 'nb' | 'nn' | 'en'
/** The name of a text. */
export type MessageKey = keyof typeof nb
/** All texts of a language. */
export type Messages = Readonly<Record<MessageKey, string>>
/** What stands in place of `{name}`. */
export type Values = Readonly<Record<string, string | number>>

/** Every text by language. A text may have two forms, `{n} jobb|{n} jobber`: for one, and for more. */
export const messages: Readonly<Record<Lang, Messages>> = { nb, nn, en }

/** A text in a language, with its values put in. Of two forms the one that fits `values.n`. Pure. */
export function translate(lang: Lang, key: MessageKey, values: Values = {}): string {
  const text = messages[lang][key] ?? key
  const [one = text, many = one] = text.split('|')
  // A value that is written with a word before it, like `10 000+`, is many.
  const form = values.n === 1 || values.n === '1' ? one : many
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

/** Whether there is a text of this name: for names that are put together. */
export function isMessage(key: string): key is MessageKey {
  return Object.hasOwn(messages.nb, key)
}
