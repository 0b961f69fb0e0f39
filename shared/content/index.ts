import type { Language } from '../language.ts'
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
import type { Content } from './types.ts'

export const fr: Content = {
  brand: frBrand,
  nav: frNav,
  hero: frHero,
  divisions: frDivisions,
  services: frServices,
  contact: frContact,
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
  contact: enContact,
  footer: enFooter,
  privacy: enPrivacy,
  errors: enErrors,
}

/** All texts, for server, build and tests. The browser loads only the parts that page-content.ts lists. */
export const CONTENT: Record<Language, Content> = { fr, en }
