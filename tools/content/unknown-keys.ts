import type { Content } from '../../shared/content/content.ts'
import type brand from '../../shared/content/fr/brand.json'
import type contact from '../../shared/content/fr/contact.json'
import type divisions from '../../shared/content/fr/divisions.json'
import type errors from '../../shared/content/fr/errors.json'
import type footer from '../../shared/content/fr/footer.json'
import type hero from '../../shared/content/fr/hero.json'
import type nav from '../../shared/content/fr/nav.json'
import type privacy from '../../shared/content/fr/privacy.json'
import type services from '../../shared/content/fr/services.json'

type KeyOf<Known> = Known extends unknown ? keyof Known : never
type ValueOf<Known, Key extends PropertyKey> = Known extends { [K in Key]?: infer Value }
  ? Value
  : never

/** The keys of a file that its type does not have, like `items[].title`. */
type Unknown<Found, Known, Path extends string> = Found extends readonly (infer Item)[]
  ? Unknown<Item, Known extends readonly (infer KnownItem)[] ? KnownItem : never, `${Path}[]`>
  : Found extends object
    ? {
        [Key in keyof Found & string]: Key extends KeyOf<Known>
          ? Unknown<Found[Key], ValueOf<Known, Key>, `${Path}.${Key}`>
          : `${Path}.${Key}`
      }[keyof Found & string]
    : never

type None<Found extends never> = Found

/** The compiler refuses what nothing on the site uses; type-faults.ts says so to the person who edits the texts. */
export type UnknownKeys = [
  None<Unknown<typeof brand, Content['brand'], 'brand'>>,
  None<Unknown<typeof contact, Content['contact'], 'contact'>>,
  None<Unknown<typeof divisions, Content['divisions'], 'divisions'>>,
  None<Unknown<typeof errors, Content['errors'], 'errors'>>,
  None<Unknown<typeof footer, Content['footer'], 'footer'>>,
  None<Unknown<typeof hero, Content['hero'], 'hero'>>,
  None<Unknown<typeof nav, Content['nav'], 'nav'>>,
  None<Unknown<typeof privacy, Content['privacy'], 'privacy'>>,
  None<Unknown<typeof services, Content['services'], 'services'>>,
]
