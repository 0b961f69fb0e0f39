/** The French files give the types; tools/content/check-content.ts compares the English files with them. */
import type { SERVICE_IDS, Sector } from '../constants.ts'
import type { FaultCode } from '../contact-fields.ts'
import type { ProblemCode } from '../problems.ts'
import type brand from './fr/brand.json'
import type contact from './fr/contact.json'
import type divisions from './fr/divisions.json'
import type errors from './fr/errors.json'
import type footer from './fr/footer.json'
import type hero from './fr/hero.json'
import type nav from './fr/nav.json'
import type privacy from './fr/privacy.json'
import type services from './fr/services.json'

export interface Plural {
  one: string
  other: string
}

/** `description` is for /secteurs-activite, `summary` for the cards on the home page and on sectors' pages. */
export type Division = (typeof divisions)['items'][Sector]

/** A paragraph, a list or a table of the privacy policy. */
export type Block = string | { list: string[] } | { table: { head: string[]; rows: string[][] } }

/** The texts of one language. */
export interface Content {
  /** `tagline` is below the name on the picture that social networks show beside a link. */
  brand: typeof brand
  nav: typeof nav
  hero: typeof hero
  divisions: typeof divisions & { items: Record<Sector, Division> }
  services: typeof services
  contact: typeof contact & {
    faults: Record<FaultCode, string>
    form: { services: Record<(typeof SERVICE_IDS)[number], string> }
  }
  /** `formats` offers accessible formats (Ontario Regulation 191/11, section 12). */
  footer: typeof footer
  privacy: Omit<typeof privacy, 'sections'> & {
    sections: { id: string; title: string; body: Block[] }[]
  }
  errors: typeof errors & { problems: Record<ProblemCode, string> }
}

export type Brand = Content['brand']
export type Contact = Content['contact']
