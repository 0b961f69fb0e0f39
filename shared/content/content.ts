import type { Sector, ServiceId } from '../constants.ts'
import type { FaultCode } from '../contact.ts'
import type { Language } from '../language.ts'
import type { ProblemCode } from '../problems.ts'

/**
 * The texts of one language. Every file of `fr/` and `en/` is one group of this type.
 * `{name}` in a text is filled in when it is shown; the names are listed beside the keys that take them.
 */
export interface Content {
  brand: Brand
  nav: Nav
  hero: Hero
  divisions: Divisions
  services: Services
  contact: Contact
  footer: Footer
  privacy: Privacy
  errors: Errors
}

export interface Meta {
  /** Shown in the browser's tab and in search results, without the brand's name. */
  title: string
  /** One sentence for search results, 70 to 160 characters. */
  description: string
}

interface Link {
  label: string
  text: string
}

export interface Brand {
  name: string
  region: string
  /** Below the name on the picture of a shared link. */
  tagline: string
}

interface Nav {
  label: string
  menu: string
  skip: string
  /** The logo link's name. */
  homeLink: string
  home: string
  sectors: string
  services: string
  contact: string
  /** The toggle: `code` is shown, `name` says the rest to screen readers and in the tooltip, in the other language. */
  toggle: { code: string; name: string }
  /** Said by screen readers once the language has changed to this one. */
  languageChanged: string
}

interface Hero {
  meta: Meta
  headline: string
  intro: string
  primaryAction: string
  secondaryAction: string
  sectors: { title: string; intro: string }
  services: { title: string; intro: string }
  contact: { title: string; intro: string; action: string }
}

export interface Offering {
  title: string
  description: string
  /** What one gets. */
  deliverables: string[]
}

export interface Division {
  title: string
  subtitle: string
  /** Two or three sentences, for /secteurs-activite. */
  description: string
  /** One short sentence, for the home page's card. */
  summary: string
  tags: string[]
  meta: Meta
  headline: string
  intro: string
  /** Why here: what the reader gets from us and not from just anyone. */
  reasons: string[]
  offerings: Offering[]
}

interface Divisions {
  meta: Meta
  headline: string
  intro: string
  /** A card's link; `{sector}` */
  explore: string
  /** A sector page's title beside its reasons. */
  reasonsTitle: string
  /** A sector page's title above its offerings. */
  offeringsTitle: string
  /** The label above an offering's list of what one gets. */
  deliverablesLabel: string
  tagsLabel: string
  /** The invitation at the foot of a sector page. */
  callToAction: Link & { action: string }
  /** Above the cards of the other sectors, at the foot of a sector page. */
  othersTitle: string
  items: Record<Sector, Division>
}

interface Services {
  meta: Meta
  headline: string
  intro: string
  items: { title: string; summary: string; description: string; features: string[] }[]
  /** The services as steps: each starts from the result of the one before. */
  sequence: { title: string; intro: string; steps: { title: string; text: string }[] }
  callToAction: Link & { action: string }
}

/** Texts that depend on a number, by the categories of Intl.PluralRules. */
export interface Plural {
  one: string
  other: string
}

export interface Contact {
  meta: Meta
  headline: string
  intro: string
  facts: {
    title: string
    address: string
    phone: string
    email: string
    hours: string
    hoursValue: string
    services: string
    servicesValue: string
    holidays: string
    holidaysValue: string
    /** The label of the footer's notice. */
    formats: string
  }
  /** Steps after the form is sent. */
  next: { title: string; saved: string; answer: string; silence: string }
  form: {
    title: string
    /** `{limit}`, filled with the two texts below */
    notice: string
    /** `{count}` */
    limit: Plural
    window: {
      minute: string
      /** `{minutes}` */
      minutes: string
      hour: string
      /** `{hours}` */
      hours: string
      day: string
    }
    requiredHint: string
    firstName: string
    lastName: string
    email: string
    emailHint: string
    service: string
    optional: string
    noService: string
    services: Record<ServiceId, string>
    message: string
    /** `{min}` `{max}` */
    messageHint: string
    trap: string
    submit: string
    submitting: string
    /** Before the page's title while the form shows errors. */
    errorPrefix: string
    /** `{count}`: the error summary's title */
    errorSummary: Plural
    /** At a field that is empty. */
    missing: Record<'firstName' | 'lastName' | 'email' | 'message', string>
    privacyNote: string
  }
  sent: {
    title: string
    description: string
    /** `{reference}` */
    reference: string
  }
  failed: { title: string; description: string }
  /** The sentence of each rule; `{max}` where a field is too long. */
  faults: Record<FaultCode, string>
  notifications: {
    /** The toast viewport's label. */
    viewport: string
    notification: string
    close: string
  }
}

interface Footer {
  label: string
  contact: string
  contactTitle: string
  address: string
  phone: string
  email: string
  /** The notice that O. Reg. 191/11, section 12, asks for. */
  formats: string
  registrationsTitle: string
  ontarioRegistration: string
  canadaRegistration: string
  linksTitle: string
  site: string
  x: string
  instagram: string
  discord: string
  /** Said after the name of a link that leaves the site. */
  external: string
  privacy: string
  /** Opens the cookie banner again. */
  cookies: string
  /** `{name}` */
  rights: string
}

export type Block = string | { list: string[] } | { table: { head: string[]; rows: string[][] } }

export interface Privacy {
  meta: Meta
  headline: string
  intro: string
  updated: string
  summary: { title: string; points: string[] }
  contentsTitle: string
  /** How long things are kept; `{count}` */
  periods: Record<'years' | 'days' | 'hours' | 'minutes', Plural>
  /**
   * Texts may hold the facts `{name}` `{address}` `{phone}` `{email}` `{privacyEmail}`, and the periods
   * `{retention}` (of messages) `{quarantine}` (of what looks like spam) `{repetition}` (of addresses)
   * `{refusals}` (of an address that was refused).
   */
  sections: { id: string; title: string; body: Block[] }[]
  banner: {
    label: string
    text: string
    link: string
    accept: string
    essential: string
    close: string
    details: string
    categories: { title: string; text: string }[]
  }
}

interface Errors {
  notFound: { meta: Meta; headline: string; text: string; home: string; contact: string }
  serverError: {
    meta: Meta
    headline: string
    text: string
    reload: string
    home: string
    contact: string
  }
  test: {
    meta: Meta
    headline: string
    text: string
    missing: string
    failing: string
    throwing: string
  }
  /** The sentence of each refusal. `{limit}` `{phone}` `{email}` `{minutes}` where useful. */
  problems: Record<ProblemCode, string>
}

export interface Address {
  street: string
  city: string
  province: string
  postalCode: string
}

/** The facts about the firm, the same in both languages save where a fact has two forms. */
export interface Company {
  legalName: Record<Language, string>
  address: Record<Language, Address>
  /** In international form, `+1` and ten digits. */
  phone: string
  email: string
  privacyEmail: string
  registrations: { ontario: string[]; canada: string }
  links: { site: string; x: string; instagram: string; discord: string }
}
