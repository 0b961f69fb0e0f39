import { addServices, type Content } from './content.ts'
import enBrand from './en/brand.json' with { type: 'json' }
import enHeadlines from './en/headlines.json' with { type: 'json' }
import brand from './fr/brand.json' with { type: 'json' }
import contact from './fr/contact.json' with { type: 'json' }
import divisions from './fr/divisions.json' with { type: 'json' }
import errors from './fr/errors.json' with { type: 'json' }
import footer from './fr/footer.json' with { type: 'json' }
import headlines from './fr/headlines.json' with { type: 'json' }
import hero from './fr/hero.json' with { type: 'json' }
import nav from './fr/nav.json' with { type: 'json' }
import privacy from './fr/privacy.json' with { type: 'json' }
import services from './fr/services.json' with { type: 'json' }

export const fr: Content = {
  brand,
  nav,
  hero,
  headlines,
  divisions,
  services,
  contact: addServices(contact, divisions),
  footer,
  privacy,
  errors,
  other: { name: enBrand.name, headlines: enHeadlines },
}
