const codes =
  'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id is it ja jw ka kk km kn ko ' +
  'la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ' +
  'ur uz vi yi yo zh yue'

/** Whisper knows Norwegian as `no` and nynorsk as `nn`; `nb` it does not know. */
export function isWhisperLanguage(code: string): boolean {
  return codes.split(' ').includes(code)
}

/** The name some servers answer with instead of the code. */
export function languageName(code: string): string {
  return (new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code).toLowerCase()
}
