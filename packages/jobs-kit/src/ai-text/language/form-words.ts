/** Endings of longer words that only one form has. Danish and Swedish share those of `nb`. */
export const formEndings = {
  nb: /^.{3,}(?:lig(?:e|t|ere)?|het(?:en|er)?)$/,
  nn: /^.{3,}(?:leg(?:e|t|are)?|heit(?:a|er)?|[^e]ane)$/,
} as const

/**
 * Words that only one written form has: the small ones that hardly a sentence goes without, and everyday words for sentences that do. What both forms
 * allow is in neither list.
 */
export const formWords = {
  nb: words(`ikke jeg hva hvordan hvorfor hvor hvem hvilken hvilket hvilke hver hvert hverandre hvis en et fra noe noen mye mer være vært ble kommer gjør
    gjøre hele hun dere deres hennes sammen sier si vet uten disse da selv egen eget egne egentlig nå flere enten fikk gikk ga hjem hjemme bedre
    ganger høre hører hørte hørt høres begynne begynner begynte tenker skrev heter kjente dem uke uker forrige vanskelig mulig vanlig skole skolen
    melk navn øker økte finnes synes`),
  nn: words(`ikkje eg kva korleis kvifor kvar kven kvarandre kvart ein eit frå noko nokon nokre mykje meir berre vere vore vart vert kjem kome gjer
    gjere heile dei ho dykk dykkar hennar deira saman seier seie veit medan sidan utan desse då sjølv sjølve eigen eige eigne eigentleg fleire anten fekk
    gjekk gav gjev heim heime betre gong gonger høyre høyrer høyrde høyrt høyrest byrja byrjar tenkjer skreiv heiter kjende veke veker førre vanskeleg
    mogleg vanleg skule skulen mjølk namn auka aukar finst synest difor ynskje ynskjer hjå ikring korkje åleine`),
} as const

/** Danish and Swedish share most small words with `nb`. One of these weighs more than one of those: in Norwegian they do not occur. */
export const neighbourWords =
  words(`hvad meget noget nogle nogen blev blive bliver blevet af efter mig dig sig havde været gør gøre uden nu jer jeres vores
  sådan lidt op ud ind gik fik kvinde skete hedder siger sige sagde give giver måske igen tilbage mellem hvornår uge uger spørgsmål
  jag inte och är för hon från vad hur varför vem nej mycket bara när också hade mellan många någon något några`)

/** Small words of other languages that bring along some that look Norwegian (`en`, `et`, `de`). */
export const foreignWords = words(`the and of is are was were that this with you not we they he she it have has what how your
  und der die das ist nicht ich wir es sie auf auch le est une pour que qui ne pas je il elle nous el lo una por con
  ik niet het een van voor ze hebben zijn dat uw`)

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/))
}
