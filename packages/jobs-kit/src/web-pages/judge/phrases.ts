/** What pages say in place of an article, in the languages of their readers here. Looked for where there is little text only: articles are written about all of it. */

export const notFoundTitle =
  /^\W*(404\b|(http )?error 404|feil 404|(denne )?sid[ae]n? (finnes|finst|eksisterer|ble|vart|er) ?(ikke|ikkje|fjernet|fjerna)?|(siden|sida|artikkelen|saken|saka) (ble |vart |er )?(ikke funnet|ikkje funne[nt]?|ikke tilgjengelig|fjernet|fjerna|sletta|slettet)|fant ikke (siden|artikkelen|saken)|fann ikkje (sida|artikkelen|saka)|ikke funnet|ikkje funne|(the )?page (was |you requested was |could )?(not|n.t) (be )?found|page (does not|doesn.t) exist|not found|oops\b.{0,40}(not found|doesn.t exist|404))|\b404\b.{0,20}(not found|ikke funnet|error)|(not found|ikke funnet).{0,20}\b404\b/i

export const challengeTitle =
  /^\W*(just a moment|attention required|access denied|are you (a )?(human|robot)|verify(ing)? (that )?you are (a )?human|please verify|one more step|security check|pardon our interruption|checking your browser|ddos-guard|er du (et menneske|en robot)|ingen tilgang|robot ?check)/i

export const paywall =
  /(denne|dette) (saken|saka|artikkelen|innholdet|innhaldet) er (kun |bare |berre )?(for|tilgjengelig for|forbeholdt) (våre |dei )?abonnent|for å lese (hele |heile |resten av )?(saken|saka|artikkelen|innholdet|videre|vidare)[^.]{0,40}(abonne|logg|kjøp|betal|må du)|(abonner|kjøp|bestill|logg inn)[^.]{0,60}for å lese|du må (være abonnent|vere abonnent|ha abonnement|logge inn) for å|allerede abonnent|allereie abonnent|er du abonnent\?|already a subscriber|subscri(be|ption)[^.]{0,40} to (read|continue|access|unlock)|(this|the) (article|story|content) is (only )?(for|available to|exclusive to|reserved for) (our )?(paying |premium )?(subscribers|members)|to continue reading[^.]{0,40}(subscribe|sign|log|register)|unlock (this|the full) (article|story)/i

/** Three of these, or two on a page that asks for it by its address. */
export const consent: readonly RegExp[] = [
  /informasjonskapsl|\bcookies?\b/i,
  /(godta|godkjenn|aksepter|tillat)\w* (alle|alt|og fortsett)|accept (all|and continue|& continue)|agree (and|&) (continue|close|proceed)|\bi agree\b|gi samtykke/i,
  /(avvis|avslå|nekt)\w* (alle|alt)|reject all|decline all|manage (my )?(options|choices|preferences|settings|consent)|(tilpass|administrer|endre)\w* (valg|val|innstilling|samtykke)/i,
  /før du (fortsetter|held fram|går videre)|before you continue|we value your privacy|vi (bryr oss om|verdsetter) personvern|(vi og|we and) (våre|our) \d* ?partner/i,
]
export const consentAddress = /^(consent|guce|cmp|privacy-mgmt|samtykke)\.|^\/(cookie-?)?(consent|samtykke)\b|^\/v2\/collectConsent/i

export const loginAddress = /\/(log-?in|logg-?inn|sign-?in|auth|sso|oauth2?|authorize)(\/|$|\.)/i

export const needsScript =
  /(enable|requires?|needs?|turn on|without) java-?script|java-?script (is |must be |to be )?(required|disabled|enabled|needed)|(aktiver|slå på|krever|krev|slått av|uten|utan|skru på)[^.]{0,30}java-?script|java-?script[^.]{0,30}(aktiver|slå på|slått av|avslått|nødvendig|må)/i
