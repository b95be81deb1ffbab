const labels = {
  nb: 'Syntetisk profil, laget av kunstig intelligens ut fra partiets program. Partiet har ikke svart selv.',
  nn: 'Syntetisk profil, laga av kunstig intelligens ut frå programmet til partiet. Partiet har ikkje svart sjølv.',
  en: "Synthetic profile, made by artificial intelligence from the party's programme. The party itself has not answered.",
}

/** What is shown with a profile wherever it is shown, in the programme's language. */
export function labelOf(language: string): string {
  if (/^nn\b/.test(language)) return labels.nn
  return /^(?:nb|no)\b/.test(language) ? labels.nb : labels.en
}
