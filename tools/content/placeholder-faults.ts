interface Place {
  file: string
  key: RegExp
  /** The names that the site fills in there. */
  takes: string[]
  /** Those without which the text does not do its work. */
  needs?: string[]
}

// Written out: what fills them reads the very texts that may be broken.
export const FACTS = ['name', 'address', 'phone', 'email', 'privacyEmail']
export const PERIODS = ['retention', 'quarantine', 'repetition', 'refusals']
const needs = (file: string, key: RegExp, ...names: string[]): Place => ({
  file,
  key,
  takes: names,
  needs: names,
})
const WAYS = ['phone', 'email']

/** Where texts may hold `{name}`; the first that fits counts. */
const PLACES: Place[] = [
  needs('divisions.json', /^explore$/, 'sector'),
  needs('footer.json', /^rights$/, 'name'),
  needs('contact.json', /^form\.notice$/, 'limit'),
  needs('contact.json', /^form\.limit\.\w+$/, 'count'),
  needs('contact.json', /^form\.window\.minutes$/, 'minutes'),
  needs('contact.json', /^form\.window\.hours$/, 'hours'),
  needs('contact.json', /^form\.messageHint$/, 'min', 'max'),
  needs('contact.json', /^form\.errorSummary\.\w+$/, 'count'),
  needs('contact.json', /^sent\.reference$/, 'reference'),
  needs('contact.json', /^faults\.too-long$/, 'max'),
  needs('privacy.json', /^periods\.\w+\.\w+$/, 'count'),
  {
    file: 'privacy.json',
    key: /^(?:intro$|summary\.points\[|sections\[\d+\]\.body\[\d+\](?!\.table\.head))/,
    takes: [...FACTS, ...PERIODS],
  },
  {
    file: 'errors.json',
    key: /^problems\.limit-reached$/,
    takes: [...FACTS, 'limit', 'minutes'],
    needs: ['limit', ...WAYS],
  },
  {
    file: 'errors.json',
    key: /^problems\.(?:too-many-refusals|unavailable)$/,
    takes: [...FACTS, 'limit', 'minutes'],
    needs: WAYS,
  },
  { file: 'errors.json', key: /^problems\./, takes: [...FACTS, 'limit', 'minutes'] },
]

const say = (names: string[]) => names.map((name) => `{${name}}`).join(' ')

/** What is wrong with the `{names}` of a text of shared/content/fr or en, in words for the person who edits it. */
export function findPlaceholderFaults(file: string, key: string, text: string): string[] {
  const place = PLACES.find((each) => each.file === file && each.key.test(key))
  const takes = place?.takes ?? []
  const used = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const unknown = used.filter((name) => !takes.includes(name))
  const dropped = (place?.needs ?? []).filter((name) => !used.includes(name))
  const allowed = takes.length > 0 ? `here it knows ${say(takes)}` : 'here it knows none'
  return [
    ...(unknown.length > 0 ? [`the site cannot fill in ${say(unknown)}; ${allowed}`] : []),
    ...(dropped.length > 0 ? [`put ${say(dropped)} back: the site fills it in there`] : []),
    ...(/[{}]/.test(text.replace(/\{\w+\}/g, ''))
      ? ['a brace stands alone, or around more than a name without accents: write it like {phone}']
      : []),
  ]
}
