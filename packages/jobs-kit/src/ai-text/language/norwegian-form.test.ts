import { describe, expect, test } from 'vitest'
import { norwegianForm } from './norwegian-form.ts'

const bokmaal = [
  'Jeg vet ikke om vi rekker å bli ferdige før jul.',
  'Hvordan skal kommunen betale for det nye svømmeanlegget?',
  'Det var en gang en liten by ved kysten der alle kjente hverandre.',
  'Hun sa at de hadde ventet i nesten tre timer på fergen.',
  'Noen må si fra hvis det skjer igjen.',
  'Hvorfor er det så vanskelig å få snakke med et menneske når man ringer?',
  'Dere får komme inn og sette dere.',
  'Møtet ble flyttet fordi lederen var syk.',
  'Vi har bare fire uker igjen, og mye gjenstår.',
  'Det har vært en lang dag for hele laget.',
  'Kan du sende meg referatet fra forrige uke?',
  'Barna løp ut i hagen uten sko.',
  'Jeg synes hun svarte godt på spørsmålene.',
  'Etter hvert begynte flere å stille seg selv det samme spørsmålet.',
  'Prisene har økt mer enn lønningene de siste årene.',
  'Fylkesmannen ga ikke medhold i klagen.',
  'Takk for at du hørte på, vi høres neste torsdag!',
  'Hvem bestemmer egentlig hva som skal stå i avisen?',
  'Den som ikke våger, vinner heller ingenting.',
  'Da han kom hjem, var huset tomt og lyset slukket.',
]

const nynorsk = [
  'Eg veit ikkje om vi rekk å bli ferdige før jul.',
  'Korleis skal kommunen betale for det nye symjeanlegget?',
  'Det var ein gong ein liten by ved kysten der alle kjende kvarandre.',
  'Ho sa at dei hadde venta i nesten tre timar på ferja.',
  'Nokon må seie frå dersom det skjer igjen.',
  'Kvifor er det så vanskeleg å få snakke med eit menneske når ein ringjer?',
  'De får kome inn og setje dykk.',
  'Møtet vart flytta fordi leiaren var sjuk.',
  'Me har berre fire veker att, og mykje står att.',
  'Det har vore ein lang dag for heile laget.',
  'Kan du sende meg referatet frå førre veke?',
  'Borna sprang ut i hagen utan sko.',
  'Eg synest ho svara godt på spørsmåla.',
  'Etter kvart byrja fleire å stille seg sjølve det same spørsmålet.',
  'Prisane har auka meir enn lønene dei siste åra.',
  'Fylkesmannen gav ikkje medhald i klaga.',
  'Takk for at du høyrde på, vi høyrest neste torsdag!',
  'Kven bestemmer eigentleg kva som skal stå i avisa?',
  'Den som ikkje vågar, vinn heller ingenting.',
  'Då han kom heim, var huset tomt og lyset sløkt.',
]

const neither = [
  '',
  '1814, 17. mai.',
  'Takk!',
  'I do not know whether we can finish this before Christmas, and no one told me.',
  'She said that he was here for me and for all of us, no more, no less.',
  'Jag vet inte om vi hinner bli klara före jul, men hon är här och det är bra.',
  'Jeg ved ikke, hvad der skete, men det var meget mærkeligt, og nogle af dem blev hjemme.',
  'Hvordan har du det? Jeg synes også, at filmen var god, men jeg havde ikke tid til at se den.',
  'Ich weiß nicht, ob wir das noch vor Weihnachten schaffen, aber er hat es gesagt.',
  'Je ne sais pas si on a le temps de finir, et elle non plus. En fait, il me le dit.',
  'Ik weet niet of we het voor Kerstmis halen, en ze hebben het me niet gezegd.',
  'No lo sé, me lo dijo ella en la reunión de ayer.',
]

describe('norwegianForm', () => {
  test.each(bokmaal)('bokmål: %s', (sentence) => expect(norwegianForm(sentence)).toBe('nb'))
  test.each(nynorsk)('nynorsk: %s', (sentence) => expect(norwegianForm(sentence)).toBe('nn'))
  test.each(neither)('neither: %s', (sentence) => expect(norwegianForm(sentence)).toBeNull())

  test('letters may be capital, or written as two', () => {
    expect(norwegianForm('JEG VET IKKE HVA DET ER')).toBe('nb')
    expect(norwegianForm('då gjekk eg frå dei'.normalize('NFD'))).toBe('nn')
  })

  test('a quote in the other form does not turn a text around', () => {
    expect(norwegianForm(`${bokmaal.slice(0, 6).join(' ')} «${nynorsk[0]}»`)).toBe('nb')
    expect(norwegianForm(`${nynorsk.slice(0, 6).join(' ')} «${bokmaal[0]}»`)).toBe('nn')
  })

  test('half of each is neither', () => {
    expect(norwegianForm([...bokmaal, ...nynorsk].join(' '))).toBeNull()
  })

  test('a Norwegian text with English words stays one', () => {
    expect(norwegianForm(`${bokmaal.slice(0, 4).join(' ')} The Office is the best of all, sa han.`)).toBe('nb')
  })

  test.each(['a', 'a-', 'leg ', 'ikke ', '\ud800', '\u0300', ' '])(
    'a megabyte of %j takes seconds at most',
    { timeout: 20_000 },
    (piece) => {
      const form = norwegianForm(piece.repeat(Math.ceil(1_000_000 / piece.length)))
      expect(form).toBe(piece === 'ikke ' ? 'nb' : null)
    },
  )
})
