import type { FaultCode } from '../contact-fields.ts'
import type { ProblemCode } from '../problems.ts'
import { SECTORS, SERVICE_OF_SECTOR, type Sector, type ServiceId } from '../sectors.ts'
import type frBrand from './fr/brand.json'
import type frContact from './fr/contact.json'
import type frDivisions from './fr/divisions.json'
import type frErrors from './fr/errors.json'
import type frFooter from './fr/footer.json'
import type frHeadlines from './fr/headlines.json'
import type frHero from './fr/hero.json'
import type frNav from './fr/nav.json'
import type frPrivacy from './fr/privacy.json'
import type frServices from './fr/services.json'

/** A paragraph, a list or a table of the privacy policy. */
export type Block = string | { list: string[] } | { table: { head: string[]; rows: string[][] } }

/** The French files give the types; tools/content/check-content.ts compares the English files with them. */
export interface Content {
  /** `trade` is above the headline of the home page, `tagline` below the name on the picture for shared links. */
  brand: typeof frBrand
  nav: typeof frNav
  hero: typeof frHero
  /** Of the pages whose panel shows the headline in the other language: a file of its own, because both languages load it. */
  headlines: typeof frHeadlines & Record<Sector, string>
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
  /** Texts in the other language, for the panel. */
  other: { name: string; headlines: typeof frHeadlines }
}

export type Brand = Content['brand']
export type Contact = Content['contact']

/** Adds the choices of the form's field `service`: the titles of the sectors. */
export function addServices(contact: typeof frContact, { items }: typeof frDivisions): Contact {
  const titles = SECTORS.map((sector) => [SERVICE_OF_SECTOR[sector], items[sector].title])
  const services: Record<ServiceId, string> = Object.fromEntries(titles)
  return { ...contact, form: { ...contact.form, services } }
}
