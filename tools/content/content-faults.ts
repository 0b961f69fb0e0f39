/** Sentences that stand as they were given, straight apostrophes included. */
const QUOTED = new Set([
  "Une erreur s'est produite lors de l'envoi du message. Veuillez réessayer.",
])

interface Rule {
  breaks: RegExp
  advice: string
}

const EVERYWHERE: Rule[] = [
  { breaks: /^$/, advice: 'this text is empty: write it' },
  { breaks: /'/, advice: 'use the curly apostrophe ’ in place of the straight one' },
  { breaks: /"/, advice: 'use curly quotation marks (« » in French, “ ” in English)' },
  {
    breaks: /[\u202f\u2011→Ÿ]/,
    advice:
      'this character is missing from the site’s fonts: use a no-break space, a hyphen or words',
  },
  {
    breaks: /^\s|\s$| {2}/,
    advice: 'remove the space at the start, at the end, or the double one',
  },
]

const FRENCH: Rule[] = [
  { breaks: /[^\u00a0]:(?=\s|$)/, advice: 'put a no-break space before the colon' },
  { breaks: /[^\u00a0][%$](?=\W|$)/, advice: 'put a no-break space before % and $' },
  { breaks: /[\d}] ?(?:h|min)\b/, advice: 'put a no-break space between a number and h or min' },
  { breaks: /«(?!\u00a0)|(?<!\u00a0)»/, advice: 'put a no-break space inside « and »' },
  { breaks: /\s[;!?]/, advice: 'no space before ; ! and ?' },
  { breaks: /\d \d{3}\b/, advice: 'put a no-break space between thousands' },
]

/** What is wrong with the typography of a text, in words for the person who edits it. */
export function findTypographyFaults(text: string, language: 'fr' | 'en'): string[] {
  if (QUOTED.has(text)) return []
  const rules = language === 'fr' ? [...EVERYWHERE, ...FRENCH] : EVERYWHERE
  return rules.filter(({ breaks }) => breaks.test(text)).map(({ advice }) => advice)
}

const kindOf = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value)

/** Every text of a group with its key: `items[0].title`. */
export function listTexts(value: unknown, key = ''): [string, string][] {
  if (typeof value === 'string') return [[key, value]]
  if (Array.isArray(value)) return value.flatMap((item, i) => listTexts(item, `${key}[${i}]`))
  return Object.entries(value ?? {}).flatMap(([name, inner]) =>
    listTexts(inner, key ? `${key}.${name}` : name),
  )
}

const placeholders = (text: string) =>
  [...new Set(text.match(/\{\w+\}/g))].sort().join(' ') || 'none'

/** Where one language has another shape than the other, as `[language, key, what to do]`. */
export function findShapeFaults(
  fr: unknown,
  en: unknown,
  key = '',
): ['fr' | 'en', string, string][] {
  if (fr === undefined) return [['fr', key, 'the English has this key: add it in French']]
  if (en === undefined) return [['en', key, 'the French has this key: add it in English']]
  if (kindOf(fr) !== kindOf(en)) {
    return [['en', key, `this is a ${kindOf(en)}, but a ${kindOf(fr)} in French: make them alike`]]
  }
  if (typeof fr === 'string' && typeof en === 'string') {
    if (placeholders(fr) === placeholders(en)) return []
    const both = `French has ${placeholders(fr)}, English has ${placeholders(en)}`
    return [['en', key, `both languages must use the same {names}: ${both}`]]
  }
  if (Array.isArray(fr) && Array.isArray(en) && fr.length !== en.length) {
    const both = `${fr.length} in French and ${en.length} in English`
    return [['en', key, `the lists must be equally long; there are ${both}`]]
  }
  const [left, right] = [Object(fr), Object(en)]
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...names].flatMap((name) => {
    const inner = Array.isArray(fr) ? `${key}[${name}]` : key ? `${key}.${name}` : name
    return findShapeFaults(left[name], right[name], inner)
  })
}
