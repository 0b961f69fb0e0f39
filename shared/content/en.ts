import { addServices, type Content } from './content.ts'
import brand from './en/brand.json' with { type: 'json' }
import contact from './en/contact.json' with { type: 'json' }
import divisions from './en/divisions.json' with { type: 'json' }
import errors from './en/errors.json' with { type: 'json' }
import footer from './en/footer.json' with { type: 'json' }
import headlines from './en/headlines.json' with { type: 'json' }
import hero from './en/hero.json' with { type: 'json' }
import nav from './en/nav.json' with { type: 'json' }
import privacy from './en/privacy.json' with { type: 'json' }
import services from './en/services.json' with { type: 'json' }
import frBrand from './fr/brand.json' with { type: 'json' }
import frHeadlines from './fr/headlines.json' with { type: 'json' }

export const en: Content = {
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
  other: { name: frBrand.name, headlines: frHeadlines },
}
