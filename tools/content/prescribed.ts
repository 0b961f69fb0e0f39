import { CONSENT_CHOICES, CONSENT_KEY } from '../../client/storage.ts'
import { LANGUAGE_KEY, type Language } from '../../shared/language.ts'

/** The sentences that the firm prescribes, by file and key, in French or in both languages. */
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

/** The policy names all that the site stores in a browser. */
export const STORED_WORDS = [LANGUAGE_KEY, CONSENT_KEY, ...CONSENT_CHOICES]

/** For each row of the policy's table of collected data, the period for which it is kept; the last row is the owner's mailbox. */
export const DATA_PERIODS = [
  ...Array<string>(8).fill('{retention}'),
  '{repetition}',
  '{retention}',
  '–',
  '–',
  '{repetition} {refusals}',
  '{retention}',
]
