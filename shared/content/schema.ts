/** Only the content check runs these schemas; other code imports the types. */
import * as z from 'zod'
import { SECTORS, SERVICE_IDS } from '../constants.ts'
import { FAULT_CODES } from '../contact-faults.ts'
import { PROBLEMS, type ProblemCode } from '../problems.ts'

const COMPANY_NAMES = ['name', 'address', 'phone', 'email', 'privacyEmail'] as const
const PERIOD_NAMES = ['retention', 'quarantine', 'repetition', 'refusals'] as const
export type CompanyName = (typeof COMPANY_NAMES)[number]
export type PeriodName = (typeof PERIOD_NAMES)[number]

const inBraces = (names: readonly string[]) => names.map((name) => `{${name}}`).join(' ')

/** A text that may contain `{name}` for each allowed name, and must contain each needed name. */
function copy(allowed: readonly string[], needed: readonly string[]) {
  return z.string().check(({ value, issues }) => {
    // The message: a key of tools/content/sentences.ts, then the values for that sentence.
    const fail = (...words: string[]) =>
      issues.push({ code: 'custom', input: value, continue: true, message: words.join('|') })
    const names = [...value.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const unknown = names.filter((name) => !allowed.includes(name))
    const missing = needed.filter((name) => !names.includes(name))
    if (value.trim() === '') fail('empty')
    else if (missing.length > 0) fail('missingNames', inBraces(missing))
    if (unknown.length > 0) fail('unknownNames', inBraces(unknown), inBraces(allowed))
    if (/[{}]/.test(value.replace(/\{\w+\}/g, ''))) fail('loneBrace')
  })
}

/** A text that contains `{name}` for exactly these names. */
const text = (...names: string[]) => copy(names, names)

/** The first text of an item: the pages use it as the item's key in React. */
const getFirst = (item: object | string) =>
  JSON.stringify(typeof item === 'string' ? item : Object.values(item)[0])

/** A list with at least one item and no equal items. */
const list = <Item extends z.ZodType<object | string>>(item: Item) =>
  z
    .array(item)
    .min(1, 'emptyList')
    .refine((items) => new Set(items.map(getFirst)).size === items.length, 'equalItems')
const textList = list(text())

function texts<Key extends string>(keys: readonly Key[], make: (key: Key) => z.ZodString) {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, z.ZodString>
}
const plain = <Key extends string>(...keys: Key[]) => texts(keys, () => text())
const group = <Key extends string>(...keys: Key[]) => z.strictObject(plain(...keys))
const plural = z.strictObject({ one: text('count'), other: text('count') })

/** Texts for the browser's tab and search results. */
const meta = z.strictObject({
  title: text(),
  description: text().min(70, 'description').max(160, 'description'),
})
const head = { meta, ...plain('headline', 'intro') }
const section = group('title', 'text')
const introduction = group('title', 'intro')
const callToAction = group('label', 'text', 'action')

const division = z.strictObject({
  ...head,
  /** `description` is for /secteurs-activite, `summary` for the cards on the home page and on sectors' pages. */
  ...plain('title', 'subtitle', 'description', 'summary'),
  tags: textList,
  reasons: textList,
  offerings: list(z.strictObject({ ...plain('title', 'description'), deliverables: textList })),
})

const contact = z.strictObject({
  ...head,
  facts: z.strictObject({
    ...plain('title', 'address', 'phone', 'email', 'hours', 'hoursValue'),
    ...plain('services', 'servicesValue', 'holidays', 'holidaysValue', 'formats'),
  }),
  /** The section about what happens after a visitor sends the form. */
  next: group('title', 'saved', 'answer', 'silence'),
  form: z.strictObject({
    /** The site fills `{limit}` with the texts `limit` and `window` below, such as `2 messages per hour`. */
    notice: text('limit'),
    limit: plural,
    window: z.strictObject({
      ...plain('minute', 'hour', 'day'),
      minutes: text('minutes'),
      hours: text('hours'),
    }),
    ...plain('title', 'requiredHint', 'firstName', 'lastName', 'email', 'emailHint', 'service'),
    ...plain('optional', 'noService', 'message', 'trap', 'submit', 'submitting', 'privacyNote'),
    services: group(...SERVICE_IDS),
    messageHint: text('min', 'max'),
    /** Precedes the page's title in the browser's tab while the form shows errors. */
    errorPrefix: text(),
    errorSummary: plural,
    missing: group('firstName', 'lastName', 'email', 'message'),
  }),
  sent: z.strictObject({ ...plain('title', 'description'), reference: text('reference') }),
  failed: group('title', 'description'),
  faults: z.strictObject(
    texts(FAULT_CODES, (code) => (code === 'too-long' ? text('max') : text())),
  ),
  notifications: group('viewport', 'notification', 'close'),
})

const privacyText = copy([...COMPANY_NAMES, ...PERIOD_NAMES], [])
const table = z
  .strictObject({ head: textList, rows: list(z.array(privacyText)) })
  .refine(({ head, rows }) => rows.every((row) => row.length === head.length), {
    path: ['rows'],
    error: 'cells',
  })
const block = z.union([
  privacyText,
  z.strictObject({ list: list(privacyText) }),
  z.strictObject({ table }),
])
const privacy = z.strictObject({
  ...head,
  ...plain('updated', 'contentsTitle'),
  intro: privacyText,
  summary: z.strictObject({ title: text(), points: list(privacyText) }),
  periods: z.strictObject({ years: plural, days: plural, hours: plural, minutes: plural }),
  sections: list(z.strictObject({ ...plain('id', 'title'), body: list(block) })),
  banner: z.strictObject({
    ...plain('label', 'text', 'link', 'accept', 'essential', 'close', 'details'),
    categories: list(section),
  }),
})

const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[]
const NEEDED_IN_PROBLEMS: Record<string, string[]> = {
  'limit-reached': ['limit', 'phone', 'email'],
  'too-many-refusals': ['phone', 'email'],
  unavailable: ['phone', 'email'],
}
const problem = (code: ProblemCode) =>
  copy([...COMPANY_NAMES, 'limit', 'minutes'], NEEDED_IN_PROBLEMS[code] ?? [])

/** The texts of one language. */
export const contentSchema = z.strictObject({
  /** `tagline` is below the name on the picture that social networks show beside a link. */
  brand: group('name', 'region', 'tagline'),
  nav: z.strictObject({
    ...plain('label', 'menu', 'skip', 'homeLink', 'home', 'sectors', 'services', 'contact'),
    /** The other language. The button in the header shows `code`; its tooltip and the footer's button show `name`. */
    toggle: group('code', 'name'),
    /** Screen readers say this after a change of language. */
    languageChanged: text(),
  }),
  hero: z.strictObject({
    ...head,
    ...plain('primaryAction', 'secondaryAction'),
    sectors: introduction,
    services: introduction,
    contact: group('title', 'intro', 'action'),
  }),
  divisions: z.strictObject({
    ...head,
    explore: text('sector'),
    ...plain('reasonsTitle', 'offeringsTitle', 'deliverablesLabel', 'tagsLabel', 'othersTitle'),
    callToAction,
    items: z.record(z.enum(SECTORS), division),
  }),
  services: z.strictObject({
    ...head,
    items: list(
      z.strictObject({ ...plain('title', 'summary', 'description'), features: textList }),
    ),
    sequence: introduction.extend({ steps: list(section) }),
    callToAction,
  }),
  contact,
  footer: z.strictObject({
    ...plain('contact', 'contactTitle', 'address', 'phone', 'email'),
    ...plain('registrationsTitle', 'ontarioRegistration', 'canadaRegistration'),
    ...plain('linksTitle', 'site', 'x', 'instagram', 'discord', 'privacy', 'cookies'),
    /** Offers accessible formats (Ontario Regulation 191/11, section 12). */
    formats: text(),
    /** Screen readers say this after the name of a link to another site. */
    external: text(),
    rights: text('name'),
  }),
  privacy,
  errors: z.strictObject({
    notFound: z.strictObject({ meta, ...plain('headline', 'text', 'home', 'contact') }),
    serverError: z.strictObject({
      meta,
      ...plain('headline', 'text', 'reload', 'home', 'contact'),
    }),
    test: z.strictObject({ meta, ...plain('headline', 'text', 'missing', 'failing', 'throwing') }),
    problems: z.strictObject(texts(PROBLEM_CODES, problem)),
  }),
})

const fact = (pattern: RegExp, message: string) => z.string().regex(pattern, message)
const link = (host: string) =>
  fact(new RegExp(`^https://${host.replaceAll('.', '\\.')}(?:/\\S*)?$`), `link|${host}`)
const registration = fact(/^\d{6,10}$/, 'registration')
const email = fact(/^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i, 'email')
const address = z.strictObject({
  ...plain('street', 'city', 'province'),
  postalCode: fact(/^[A-Z]\d[A-Z] \d[A-Z]\d$/, 'postalCode'),
})

export const companySchema = z.strictObject({
  legalName: group('fr', 'en'),
  address: z.strictObject({ fr: address, en: address }),
  phone: fact(/^\+1\d{10}$/, 'phone'),
  email,
  privacyEmail: email,
  registrations: z.strictObject({
    ontario: z.array(registration).length(2, 'registrations'),
    canada: registration,
  }),
  links: z.strictObject({
    site: fact(/^https:\/\/[^\s/]+\.[a-z]{2,}(?:\/\S*)?$/i, 'link|example.ca'),
    x: link('x.com'),
    instagram: link('www.instagram.com'),
    discord: link('discord.com'),
  }),
})

export type Content = z.infer<typeof contentSchema>
export type Company = z.infer<typeof companySchema>
export type Brand = Content['brand']
export type Contact = Content['contact']
export type Division = z.infer<typeof division>
export type Plural = z.infer<typeof plural>
export type Block = z.infer<typeof block>
