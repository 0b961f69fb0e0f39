import type { Language } from '../../shared/language.ts'

type Rule = string | ((...words: string[]) => string)

const en = {
  unreadable: (reason: string) =>
    `the file cannot be read: look for a missing or extra comma, quotation mark or bracket (${reason})`,
  encoding: 'save this file as UTF-8, without a byte order mark (BOM)',
  repeated: (line: string, key: string) =>
    `line ${line} has the key ${key} again: remove one of the two`,
  unknownFile: 'nothing on the site uses this file: remove it, or give it its former name',
  missing: 'this key is missing or was renamed: put it back under this name',
  unknown: 'nothing on the site uses this key: remove it, or give it its former name',
  string: 'this must be a text in quotation marks',
  array: 'this must be a list in [ ]',
  object: 'this must be a group of keys in { }',
  shape: 'the page needs another shape here: copy it from the other language',
  lengths: (fr: string, en: string) =>
    `the lists must be equally long: there are ${fr} in French and ${en} in English`,
  names: (fr: string, en: string) =>
    `both languages must use the same words in braces: French has ${fr || 'none'}, English has ${en || 'none'}`,
  emptyList: 'this list is empty: write one item or more',
  equalItems: 'two items of this list are equal, or begin with the same text: change one',
  cells: 'each row needs as many cells as the head of the table has',
  numbers: (fr: string, en: string) =>
    `the two languages give different numbers: “${fr}” in French, “${en}” in English`,
  unknownNames: (names: string, allowed: string) =>
    `the site cannot fill in ${names}; it knows ${allowed || 'no word in braces'} here`,
  missingNames: (names: string) => `put ${names} back: the site fills it in here`,
  loneBrace: 'a brace is alone, or holds more than letters without accents: write it like {phone}',

  empty: 'this is empty: write a text',
  description: 'search engines need 70 to 160 characters here',
  email: 'this is not an e-mail address: write it like info@example.ca',
  postalCode: 'this is not a postal code: write it like K1A 0A0',
  phone: 'this is not a telephone number: write +1 and ten digits, like +16135550199',
  registration: 'this is not a registration number: write 6 to 10 digits and nothing else',
  registrations: 'write two numbers here',
  link: (host: string) =>
    `this link does not have the right form: write it whole, like https://${host}/…`,

  apostrophe: 'use the curly apostrophe ’ instead of the straight one',
  quotes: 'use curly quotation marks (« » in French, “ ” in English)',
  fonts:
    'a character here is missing from the site’s fonts, such as an arrow or a narrow no-break space: use words, a hyphen or a no-break space',
  markup: 'visitors would see this HTML as it is written: remove it, or write the character itself',
  spaces: 'remove the space at the start, at the end, or the double one',
  colon: 'put a no-break space before the colon',
  percent: 'put a no-break space before % and $',
  units: 'put a no-break space between a number and h or min',
  guillemets: 'put a no-break space inside « and »',
  punctuation: 'remove the space before ; ! or ?',
  thousands: 'put a no-break space between thousands',
}

export type RuleName = keyof typeof en

const fr: Record<RuleName, Rule> = {
  unreadable: (reason) =>
    `ce fichier est illisible; cherchez une virgule, un guillemet ou un crochet qui manque ou qui est de trop (${reason})`,
  encoding: 'enregistrez ce fichier en UTF-8, sans indicateur d’ordre des octets (BOM)',
  repeated: (line, key) => `la ligne ${line} reprend la clé ${key}; supprimez l’une des deux`,
  unknownFile: 'le site n’utilise pas ce fichier; supprimez-le ou redonnez-lui son ancien nom',
  missing: 'cette clé manque ou a changé de nom; remettez-la sous ce nom',
  unknown: 'le site n’utilise pas cette clé; supprimez-la ou redonnez-lui son ancien nom',
  string: 'il faut ici un texte entre guillemets droits',
  array: 'il faut ici une liste entre crochets [ ]',
  object: 'il faut ici un groupe de clés entre accolades { }',
  shape: 'la page attend ici une autre structure; reprenez celle de l’autre langue',
  lengths: (fr, en) =>
    `les deux listes doivent avoir la même longueur; il y a ${fr} éléments en français et ${en} en anglais`,
  names: (fr, en) =>
    `les mots entre accolades doivent être les mêmes dans les deux langues; français\u00a0: ${fr || 'aucun'}, anglais\u00a0: ${en || 'aucun'}`,
  emptyList: 'cette liste est vide; écrivez au moins un élément',
  equalItems:
    'deux éléments de cette liste sont identiques ou commencent par le même texte; changez-en un',
  cells: 'chaque rangée doit avoir autant de cases que l’en-tête du tableau',
  numbers: (fr, en) =>
    `les numéros diffèrent d’une langue à l’autre; français\u00a0: «\u00a0${fr}\u00a0», anglais\u00a0: «\u00a0${en}\u00a0»`,
  unknownNames: (names, allowed) =>
    `le site ne peut rien inscrire à la place de ${names}; mots entre accolades permis ici\u00a0: ${allowed || 'aucun'}`,
  missingNames: (names) => `remettez ${names}, que le site remplace ici par la valeur`,
  loneBrace:
    'une accolade est seule, ou contient autre chose que des lettres sans accent; écrivez-la comme {phone}',

  empty: 'ce texte est vide; écrivez-le',
  description: 'les moteurs de recherche demandent ici de 70 à 160 caractères',
  email: 'ce n’est pas une adresse courriel; écrivez-la comme info@example.ca',
  postalCode: 'ce n’est pas un code postal; écrivez-le comme K1A 0A0',
  phone: 'ce n’est pas un numéro de téléphone; écrivez +1 et les dix chiffres, comme +16135550199',
  registration: 'ce n’est pas un numéro d’inscription; écrivez de 6 à 10 chiffres, rien d’autre',
  registrations: 'écrivez ici deux numéros',
  link: (host) => `ce lien n’a pas la bonne forme; écrivez-le au complet, comme https://${host}/…`,

  apostrophe: 'remplacez l’apostrophe droite par l’apostrophe courbe ’',
  quotes: 'employez les guillemets typographiques (« » en français, “ ” en anglais)',
  fonts:
    'il y a ici un caractère absent des polices du site, comme une flèche ou une espace fine insécable; employez des mots, un trait d’union ou une espace insécable',
  markup:
    'les visiteurs verraient ce code HTML tel quel; supprimez-le ou écrivez le caractère lui-même',
  spaces: 'supprimez l’espace au début ou à la fin du texte, ou l’espace double',
  colon: 'mettez une espace insécable devant le deux-points',
  percent: 'mettez une espace insécable devant % et $',
  units: 'mettez une espace insécable entre le nombre et h ou min',
  guillemets: 'mettez une espace insécable après « et devant »',
  punctuation: 'supprimez l’espace devant ; ! ou ?',
  thousands: 'mettez une espace insécable entre les milliers',
}

interface Sentences {
  rules: Record<RuleName, Rule>
  fault: (file: string, key: string, advice: string, value?: string) => string
  warning: (file: string, key: string) => string
  summary: (faults: number) => string
}

/** The output of the content check, in the language of the person who edits the texts. */
export const SENTENCES: Record<Language, Sentences> = {
  fr: {
    rules: fr,
    fault: (file, key, advice, value) =>
      `${file}${key && `, clé ${key}`}\u00a0: ${advice}${value === undefined ? '' : `\u00a0: «\u00a0${value}\u00a0»`}.`,
    warning: (file, key) =>
      `avertissement\u00a0: ${file}, clé ${key}\u00a0: valeur d’exemple à remplacer.`,
    summary: (faults) =>
      faults === 0 ? 'Les textes sont en ordre.' : `Fautes dans les textes\u00a0: ${faults}`,
  },
  en: {
    rules: en,
    fault: (file, key, advice, value) =>
      `${file}${key && `, key ${key}`}: ${advice}${value === undefined ? '' : `: “${value}”`}.`,
    warning: (file, key) => `warning: ${file}, key ${key}: still a placeholder.`,
    summary: (faults) =>
      faults === 0 ? 'The texts are in order.' : `Faults in the texts: ${faults}`,
  },
}
