import { CONSENT_CHOICES, CONSENT_KEY } from '../../shared/consent.ts'
import { TYPED_FIELDS } from '../../shared/contact-fields.ts'
import { LANGUAGE_KEY, type Language } from '../../shared/language.ts'

const SECTIONS =
  'introduction|company-info|data-collected|purposes|consent|sharing|international-transfers|protection|cookies|rights|contact|changes'

/** The sentences that the specification prescribes, by file and key, in French or in both languages. */
export const PRESCRIBED: Record<string, Partial<Record<Language, string>>> = {
  'nav.toggle.code': { fr: 'EN', en: 'FR' },
  'contact.faults.too-fast': { fr: 'Veuillez prendre le temps de bien remplir le formulaire.' },
  'contact.faults.required': { fr: 'Veuillez remplir tous les champs obligatoires.' },
  'contact.faults.email-invalid': { fr: 'Veuillez entrer une adresse email valide.' },
  'contact.faults.message-too-short': { fr: 'Le message doit contenir au moins 10 caractères.' },
  'contact.faults.message-too-long': { fr: 'Le message ne peut pas dépasser 2000 caractères.' },
  'contact.sent.title': { fr: 'Message envoyé' },
  'contact.sent.description': { fr: 'Merci pour votre message. Nous vous contacterons bientôt!' },
  'contact.failed.title': { fr: 'Erreur' },
  'contact.failed.description': {
    fr: "Une erreur s'est produite lors de l'envoi du message. Veuillez réessayer.",
  },
  'contact.notifications.viewport': { fr: 'Notifications', en: 'Notifications' },
  'errors.notFound.headline': { fr: 'Page introuvable', en: 'Page not found' },
  'errors.serverError.headline': { fr: 'Erreur serveur', en: 'Server error' },
}

/** Words that the specification wants in a text. */
export const MENTIONED: Record<string, Record<Language, string>> = {
  'errors.serverError.intro': { fr: 'équipe technique', en: 'technical team' },
}

/** The items of lists that the specification names: at least these, by their first text. */
export const NAMED: Record<string, Record<Language, string>> = {
  'divisions.items.public-safety.offerings': {
    fr: 'Évaluation et audit|Formation et perfectionnement|Élaboration de politiques|Gestion des urgences',
    en: 'Assessment and audit|Training and development|Policy development|Emergency management',
  },
  'divisions.items.francophone-services.offerings': {
    fr: 'Services communautaires|Éducation et formation|Soutien social|Promotion culturelle',
    en: 'Community services|Education and training|Social support|Cultural promotion',
  },
  'divisions.items.health-safety.offerings': {
    fr: 'Évaluation des risques|Formation en santé et sécurité|Conformité réglementaire|Comités de santé et de sécurité|Gestion des incidents|Santé au travail',
    en: 'Risk assessment|OHS training|Regulatory compliance|Health and safety committees|Incident management|Occupational health',
  },
  'divisions.items.animal-first-aid.offerings': {
    fr: 'Premiers soins d’urgence|Formation spécialisée|Soins préventifs|Services communautaires',
    en: 'Emergency first aid|Specialized training|Preventive care|Community services',
  },
  'services.items': {
    fr: 'Conseil stratégique|Gestion de projet|Sécurité et conformité',
    en: 'Strategic consulting|Project management|Security and compliance',
  },
  'privacy.banner.categories': {
    fr: 'Témoins essentiels|Mesure d’audience|Plateforme d’hébergement|Vos droits',
    en: 'Essential cookies|Analytics|Hosting platform|Your rights',
  },
  'privacy.sections': { fr: SECTIONS, en: SECTIONS },
}

/** The policy names all that the site stores in a browser. */
export const STORED_WORDS = [LANGUAGE_KEY, CONSENT_KEY, ...CONSENT_CHOICES]

/**
 * For each row of the policy's table of collected data, the period for which it is kept: first the fields of the form, then
 * language, time and state of a message; the rows after them have other periods.
 */
export const DATA_PERIODS = `${'{retention}, '.repeat(TYPED_FIELDS.length + 3)}{repetition}, –, –, {repetition}, {retention}`

const NAMES = '{name}? {address}? {phone}? {email}? {privacyEmail}? {backups}?'
const POLICY = `${NAMES} {retention}? {quarantine}? {repetition}?`

/** The words that the site fills in (`?`: may be absent). The first pattern that matches the key decides. */
export const PLACEHOLDERS: [key: RegExp, words: string][] = [
  [/^contact\.form\.notice$/, '{limit}'],
  [/^contact\.form\.errorLine$/, '{field} {sentence}'],
  [/^contact\.form\.messageHint$/, '{min} {max}'],
  [/^contact\.form\.window\.minutes$/, '{minutes}'],
  [/^contact\.form\.window\.hours$/, '{hours}'],
  [/^(?:contact\.form\.(?:limit|errorSummary)|privacy\.periods)\./, '{count}'],
  [/^contact\.sent\.reference$/, '{reference}'],
  [/^contact\.(?:sent\.keep|call)$/, '{phone}'],
  [/^contact\.failed\.reach$/, '{phone} {email}'],
  [/^contact\.faults\.too-long$/, '{max}'],
  [/^divisions\.explore$/, '{sector}'],
  [/^footer\.rights$/, '{name}'],
  [/^privacy\.(?:intro$|summary\.points\[|sections\[\d+\]\.body\[)/, POLICY],
  [/^errors\.problems\.limit-reached$/, '{limit} {phone} {email} {minutes}?'],
  [/^errors\.problems\.unavailable$/, '{phone} {email} {minutes}?'],
  [/^errors\.problems\./, `${NAMES} {limit}? {minutes}?`],
]

/** In characters: search engines cut longer titles and descriptions, and a small phone has no room for the others. */
export const LENGTHS: [key: RegExp, min: number, max: number][] = [
  [/meta\.description$/, 70, 160],
  [/meta\.title$/, 1, 55],
  [/^brand\.name$/, 1, 22],
  [/^brand\.trade$/, 1, 30],
  [/^nav\.menu$/, 1, 10],
  [/^nav\.(?:home|sectors|services|contact)$/, 1, 24],
  [/^headlines\./, 1, 50],
  [/^hero\.intro$/, 1, 160],
  [/^divisions\.items\.[^.]+\.intro$/, 1, 155],
  [/^contact\.headline$/, 1, 20],
  [/^contact\.intro$/, 1, 100],
  [/^contact\.emergency$/, 1, 115],
  [/^privacy\.banner\.text$/, 1, 60],
]

/** The page of a sector is printed on one sheet. Each text takes the room of 100 more characters. */
export const SHEET = { key: /^divisions\.items\.[^.]+$/, maxSize: 8700, sizeOfText: 100 }

/** Rules of typography, for both languages or for one. */
export const TYPOGRAPHY: [fault: RegExp, advice: string, only?: Language][] = [
  [/'/, 'use the curly apostrophe ’ instead of the straight one'],
  [/"/, 'use typographic quotation marks (« » in French, “ ” in English)'],
  [/[^ -~\u00a0-ÿŒœ‘’“”–—…•€™]/, 'a character here may be missing from the site’s fonts'],
  [/<[a-z/!]|&(?:#\d+|[a-z]{2,});/i, 'visitors would see this HTML as it is written'],
  [/^\s|\s$| {2}/, 'remove the space at the start, at the end, or the double one'],
  [/[^\u00a0]:(?=\s|$)/, 'put a no-break space before the colon', 'fr'],
  [/[^\u00a0][%$](?=\W|$)/, 'put a no-break space before % and $', 'fr'],
  [/[\d}] ?(?:h|min)(?!\p{L})/u, 'put a no-break space between a number and h or min', 'fr'],
  [/«(?!\u00a0)|(?<!\u00a0)»/, 'put a no-break space inside « and »', 'fr'],
  [/\s[;!?]/, 'remove the space before ; ! or ?', 'fr'],
  [/\d \d{3}\b/, 'write a no-break space in a number such as 10 000', 'fr'],
]

/** The facts of company.json. The first pattern that matches the key decides. */
export const FACTS: [key: RegExp, fact: RegExp, advice: string][] = [
  [/postalCode$/, /^[A-Z]\d[A-Z] \d[A-Z]\d$/, 'write a postal code, like K1A 0A0'],
  [/phone$/, /^\+1\d{10}$/, 'write +1 and ten digits, like +16135550199'],
  [/email$/i, /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i, 'write an e-mail address, like info@example.ca'],
  [/registrations/, /^(?:\d{6,10})?$/, 'write 6 to 10 digits, or "" if there is no such number'],
  [/links/, /^(?:https:\/\/\S+\.[a-z]{2,}\S*)?$/, 'write https://…, or "" if there is none'],
  [/./, /\S/, 'write a text here'],
]
