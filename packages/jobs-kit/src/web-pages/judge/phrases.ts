/** What pages say in place of an article, in the languages of their readers here. Looked for where there is little text only: articles are written about all of it. */

/** Nothing follows but the name of the site: a title that goes on is that of an article. */
const ends = String.raw`\W*(?:$|\s[|–—·-]\s.{0,60}$)`
const titled = (...phrases: readonly RegExp[]) => new RegExp(`^\\W*(?:${phrases.map(({ source }) => source).join('|')})${ends}`, 'i')

const page =
  /(?:(?:denne |den )?(?:siden|sida|artikkelen|saken|saka)|innholdet|innhaldet)(?: du (?:leter|lette|leitar|leita|prøver|prøvde)[^.]{0,30})?/
    .source
const sorry = /(?:(?:beklager|orsak|oops|ops|uff|sorry)[,.!]*\s+)?(?:men )?(?:at )?/.source
const gone = /(?:lenger |lengre )?(?:tilgjengelig|tilgjengeleg|funnet|funne[nt]?|her|fjernet|fjerna|slettet|sletta|flyttet|flytta)/.source

export const notFoundTitle = titled(
  /(?:http )?(?:error |feil )?404\W*(?:(?:error|feil|not found|page not found|ikke funnet|ikkje funne[nt]?|siden? .{0,40}|sida .{0,40}|the page .{0,40}))?/,
  /(?:not found|ikke funnet|ikkje funne[nt]?)\W*(?:404)?/,
  new RegExp(`${sorry}${page} (?:finnes|finst|finns|eksisterer) (?:dessverre |diverre )?(?:ikke|ikkje)(?: lenger| lengre)?`),
  new RegExp(`${sorry}${page} (?:ble|vart|blei|er|kunne) (?:dessverre |diverre )?(?:ikke|ikkje) ${gone}`),
  new RegExp(`${sorry}${page} (?:ble|vart|blei|er) ${gone}`),
  new RegExp(
    `${sorry}(?:vi )?(?:fant|finner|fann|finn|kunne ikke finne|kunne ikkje finne)(?: dessverre| diverre)?(?: vi)? ?(?:ikke|ikkje)? (?:${page}|det du .{0,40})`,
  ),
  /(?:(?:oops|sorry|whoops)[,.!]*\s+)?(?:we )?(?:can['’]?t|cannot|could ?n['’]?t|could not) find (?:that|this|the|your) page(?: you.{0,40})?/,
  /(?:(?:oops|sorry|whoops)[,.!]*\s+)?(?:(?:this|the|that) )?(?:page|article|story)(?: you.{0,40}?)? (?:(?:was|is|could|can) ?(?:not|n['’]t) (?:be )?(?:found|available)|not found|(?:does not|doesn['’]?t|no longer) exists?|(?:is |has been )?(?:no longer available|unavailable|removed))/,
)

export const challengeTitle = titled(
  /just a moment|attention required|access (?:to this page (?:has been )?)?denied|are you (?:a )?(?:human|robot)|verify(?:ing)? (?:that )?you are (?:a )?human|please verify[^|]{0,40}/,
  /one more step|security check|pardon our interruption|checking your browser|ddos-guard|er du (?:et menneske|en robot)|ingen tilgang|robot ?check/,
)
/** Where there is hardly any text. */
export const challenge =
  /enable js and disable any ad ?blocker|press (?:&|and) hold to confirm|confirm (?:that )?you are (?:a )?human|verify (?:that )?you are (?:a )?human|checking (?:if the site connection is secure|your browser)|bekreft at du (?:er et menneske|ikke er en robot)|stadfest at du ikkje er/i

/** Said of this article, wherever it stands. */
export const paywall =
  /(?:denne|dette) (?:saken|saka|artikkelen|innholdet|innhaldet) er (?:kun |bare |berre )?(?:for|tilgjengelig for|tilgjengeleg for|forbeholdt) (?:våre |dei )?abonnent|saken er (?:kun |bare )?for (?:våre )?abonnenter|for å lese (?:hele |heile |resten av )?(?:saken|saka|artikkelen|innholdet|videre|vidare)[^.]{0,40}(?:abonne|logg|kjøp|betal|må du)|(?:abonner|kjøp|bestill|logg inn|du (?:trenger|treng|må ha))[^.]{0,60}for å lese (?:hele|heile|resten|videre|vidare|saken|saka|artikkelen|denne|meir|mer|alt)|les (?:hele|heile) (?:saken|saka|artikkelen) med (?:et |eit )?abonnement|vil du lese (?:hele|heile|resten av) (?:saken|saka|artikkelen)\?|du må (?:være abonnent|vere abonnent|ha abonnement|logge inn) for å|subscri(?:be|ption)\b(?![^.]{0,40}newsletter)[^.]{0,40} to (?:read|continue|keep|access|unlock)|(?:create|sign up for|register for)[^.]{0,40}account[^.]{0,20} to (?:keep|continue|read)|(?:this|the) (?:article|story|content|post) is (?:only )?(?:for|available to|exclusive to|reserved for) (?:our )?(?:paying |paid |premium )?(?:subscribers|members)|(?:available to|for) [\w ]{0,30}(?:subscribers|members) only|to continue reading[^.]{0,40}(?:subscribe|sign|log|register)|unlock (?:this|the full) (?:article|story)/i
/** Many sites say it at the top or the bottom of every page: it counts where the text breaks off. */
export const subscriber = /allerede abonnent|allereie abonnent|er du abonnent\?|already a subscriber/i

/** Somebody who asks for it himself: whoever writes about it does not say we. */
export const consentAsked =
  /\b(?:vi|we)\b(?: og våre| and our)?[^.]{0,30} ?(?:bruker|brukar|benytter|nyttar|lagrer|lagrar|trenger|treng|use|store|need)\b|før du (?:fortsetter|held fram|går videre|går vidare)|before you continue|we value your privacy|vi (?:bryr oss om|verdsetter|verdset) (?:ditt )?person/i
/** Two of these, or one on a page that asks for it by its address. */
export const consent: readonly RegExp[] = [
  /informasjonskapsl|\bcookies?\b/i,
  /(?:godta|godkjenn|aksepter|tillat)\w* (?:alle|alt|og fortsett)|accept (?:all|and continue|& continue)|agree (?:and|&) (?:continue|close|proceed)|\bi (?:agree|accept)\b|gi samtykke/i,
  /(?:avvis|avslå|nekt)\w* (?:alle|alt)|reject all|decline all|manage (?:my )?(?:options|choices|preferences|(?:privacy )?settings|consent)|show purposes|(?:tilpass|administrer|endre)\w* (?:valg|val|innstilling|samtykke)|^innstillingar?e?r?$/im,
]
export const consentAddress = /^(consent|guce|cmp|privacy-mgmt|samtykke)\.|^\/(cookie-?)?(consent|samtykke)\b|^\/v2\/collectConsent/i

export const loginAddress = /\/(log-?in|logg-?inn|sign-?in|auth|sso|oauth2?|authorize)(\/|$|\.)/i
export const loginTitle = titled(
  /(?:du må )?logge? (?:deg )?inn.{0,40}|innlogging.{0,40}|pålogging.{0,40}|(?:please )?(?:log|sign) ?in.{0,40}/,
)

export const needsScript =
  /(enable|requires?|needs?|turn on|without) java-?script|java-?script (is |must be |to be )?(not available|required|disabled|enabled|needed)|(aktiver|slå på|krever|krev|slått av|uten|utan|skru på)[^.]{0,30}java-?script|java-?script[^.]{0,30}(aktiver|slå på|slått av|avslått|nødvendig|må)/i
