/** What somebody dictated after a visit, as a recogniser wrote it down; own text, bokmål. */
export const visit = [
  'eh ja dette er etter befaringen på naustet i Nordvik tirsdag første desember',
  'vi var altså Selma Haugen og jeg og så han der takstmannen Per Arne Moe komma og vi var der i to timer',
  'taket lekker på tre steder og og reparasjonen koster 86 000 kroner nei unnskyld 68 000 kroner uten moms',
  'nytt avsnitt Selma skal ringe forsikringen før fredag og jeg må huske å sende bildene til kommunen',
  'det var noe om en bjelke i hjørnet som jeg ikke fikk med meg kravebjelke eller noe sånt punktum',
].join('\n')

/** After a visit to a summer farm; own text, nynorsk. */
export const farm = [
  'ja no er eg heime frå stølen og skal seie korleis det stod til der',
  'gjerdet mot Tveit er nede på ei strekning på om lag 40 meter og det må vi gjere noko med før beitet byrjar',
  'Olav kan kome med stolpar neste veke sa han men ikkje før onsdag',
].join('\n')
