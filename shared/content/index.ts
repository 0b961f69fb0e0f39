import type { FaultCode } from '../contact-fields.ts'
import type { Language } from '../language.ts'
import type { ProblemCode } from '../problems.ts'
import { SECTORS, SERVICE_OF_SECTOR, type Sector, type ServiceId } from '../sectors.ts'
import enBrand from './en/brand.json' with { type: 'json' }
import enContact from './en/contact.json' with { type: 'json' }
import enDivisions from './en/divisions.json' with { type: 'json' }
import enErrors from './en/errors.json' with { type: 'json' }
import enFooter from './en/footer.json' with { type: 'json' }
import enHero from './en/hero.json' with { type: 'json' }
import enNav from './en/nav.json' with { type: 'json' }
import enPrivacy from './en/privacy.json' with { type: 'json' }
import enServices from './en/services.json' with { type: 'json' }
import frBrand from './fr/brand.json' with { type: 'json' }
import frContact from './fr/contact.json' with { type: 'json' }
import frDivisions from './fr/divisions.json' with { type: 'json' }
import frErrors from './fr/errors.json' with { type: 'json' }
import frFooter from './fr/footer.json' with { type: 'json' }
import frHero from './fr/hero.json' with { type: 'json' }
import frNav from './fr/nav.json' with { type: 'json' }
import frPrivacy from './fr/privacy.json' with { type: 'json' }
import frServices from './fr/services.json' with { type: 'json' }

export interface Plural {
  one: string
  other: string
}

/** A paragraph, a list or a table of the privacy policy. */
export type Block = string | { list: string[] } | { table: { head: string[]; rows: string[][] } }

/** The French files give the types; tools/content/check-content.ts compares the English files with them. */
export interface Content {
  /** `trade` is above the headline of the home page, `tagline` below the name on the picture for shared links. */
  brand: typeof frBrand
  nav: typeof frNav
  hero: typeof frHero
  /** Of a sector, `description` is for /secteurs-activite, `summary` for the cards on other pages. */
  divisions: typeof frDivisions & { items: Record<Sector, (typeof frDivisions)['items'][Sector]> }
  services: typeof frServices
  contact: typeof frContact & {
    faults: Record<FaultCode, string>
    form: { services: Record<ServiceId, string> }
  }
  /** `formats` offers accessible formats (Ontario Regulation 191/11, section 12). */
  footer: typeof frFooter
  privacy: Omit<typeof frPrivacy, 'sections'> & {
    sections: { id: string; title: string; body: Block[] }[]
  }
  errors: typeof frErrors & { problems: Record<ProblemCode, string> }
}

export type Brand = Content['brand']
export type Contact = Content['contact']

/** Adds the choices of the form's field `service`: the titles of the sectors. */
function addServices(contact: typeof frContact, { items }: typeof frDivisions): Contact {
  const titles = SECTORS.map((sector) => [SERVICE_OF_SECTOR[sector], items[sector].title])
  const services: Record<ServiceId, string> = Object.fromEntries(titles)
  return { ...contact, form: { ...contact.form, services } }
}

export const fr: Content = {
  brand: frBrand,
  nav: frNav,
  hero: frHero,
  divisions: frDivisions,
  services: frServices,
  contact: addServices(frContact, frDivisions),
  footer: frFooter,
  privacy: frPrivacy,
  errors: frErrors,
}

export const en: Content = {
  brand: enBrand,
  nav: enNav,
  hero: enHero,
  divisions: enDivisions,
  services: enServices,
  contact: addServices(enContact, enDivisions),
  footer: enFooter,
  privacy: enPrivacy,
  errors: enErrors,
}

/** All texts, for server, build and tests. The browser loads only the parts that page-content.ts lists. */
export const CONTENT: Record<Language, Content> = { fr, en }
