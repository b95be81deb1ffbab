/**
 * A language tag as whisper knows it: two letters, with `no` for `nb`. (faster-whisper takes `no` and `nn` and fails on `nb`.) Undefined for what
 * has no such code: then the server finds out by itself.
 */
export function toWhisperLanguage(tag: string | undefined): string | undefined {
  const primary = tag?.toLowerCase().split('-')[0]
  if (primary === 'nb' || primary === 'nob' || primary === 'nor') return 'no'
  if (primary === 'nno') return 'nn'
  return primary !== undefined && /^[a-z]{2}$/.test(primary) ? primary : undefined
}
