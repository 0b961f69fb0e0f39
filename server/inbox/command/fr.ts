import { fr as content } from '../../../shared/content/index.ts'
import type { UnavailableReason } from '../inbox.ts'
import type { Words } from './en.ts'

const UNAVAILABLE: Record<UnavailableReason, string> = {
  deadline: 'Elle n’a pas répondu à temps.',
  locked:
    'Une autre opération la tenait verrouillée. Réessayez. Si cela dure, cherchez un long travail en cours, comme une session SQL ouverte.',
  full: 'Il n’y a plus de place sur son disque.',
  'read-only': 'Elle est en lecture seule.',
  'disk-fault': 'Son disque a signalé une erreur.',
  'server-fault':
    'PostgreSQL, ou un mandataire placé devant lui, n’a pas pu faire le travail. Son journal dit pourquoi.',
  'cannot-open': 'Elle ne peut pas être ouverte. Vérifiez DATABASE_URL et les droits d’accès.',
  damaged: 'Elle est endommagée, ou n’est pas une base de données.',
  missing: 'Elle n’existe pas encore : le site la crée à son démarrage. Vérifiez DATABASE_URL.',
  'not-a-file':
    'DATABASE_URL désigne un dossier. Nommez un fichier, par exemple sqlite:./data/inbox.sqlite.',
  'weak-durability':
    'La base de données peut perdre des messages confirmés : SQLite exige WAL et synchronous=FULL, PostgreSQL fsync et full_page_writes.',
  'newer-build': 'Une version plus récente du site y a écrit. Utilisez cette version.',
  'network-file-system':
    'DATABASE_URL désigne un fichier sur un disque réseau, où les verrous de SQLite ne tiennent pas. Utilisez un disque local ou PostgreSQL.',
  'wrong-encoding': 'La base PostgreSQL n’est pas en UTF-8. Créez-en une avec ENCODING UTF8.',
  unconfirmed: 'La connexion s’est rompue pendant l’enregistrement : vérifiez le résultat.',
  crashed: 'Elle s’est arrêtée subitement.',
  closed: 'Elle est fermée.',
}

export const fr: Words = {
  usage: `Utilisation : npm run inbox -- COMMANDE [--lang fr|en]

  list [--status ÉTAT]              les 50 messages les plus récents
  show RÉFÉRENCE                    tout d’un message
  export --format jsonl|csv [--status ÉTAT]
                                    tous les messages, le plus ancien d’abord
  import FICHIER.jsonl              relit une exportation; seuls les messages « new » seront envoyés
  release RÉFÉRENCE                 pas un pourriel : envoie un message mis à part
  retry [RÉFÉRENCE]                 réessaie tout de suite un envoi; sans référence, tous ceux qui attendent ou sont abandonnés
  archive RÉFÉRENCE                 marque un message comme réglé; il ne sera plus envoyé
  erase RÉFÉRENCE | --email ADRESSE efface un message, ou tous ceux d’une adresse
  purge                             efface ce qui dépasse RETENTION_DAYS ou QUARANTINE_DAYS
  backup FICHIER                    une copie vérifiée, pendant que le site fonctionne (SQLite)
  verify                            cherche dommages, orphelins et messages modifiés
  stats                             les chiffres

ÉTAT : new (à envoyer), mailed (envoyé), dead (abandonné), quarantined (mis à part), archived (réglé).
DATABASE_URL désigne la boîte de réception (sqlite:./data/inbox.sqlite).
Code de sortie : 0 réussite, 1 échec ou rien de trouvé, 2 mauvaise utilisation.
`,

  commandMissing: 'Il manque une commande',
  unknownCommand: (name) => `Commande inconnue : ${name}`,
  tooManyWords: 'Trop de mots après la commande',
  needsOperand: { reference: 'Il manque une référence', file: 'Il manque un fichier' },
  wrongOption: (option, command) => `L’option ${option} ne va pas avec ${command}`,
  repeatedOption: (option) => `N’écrivez ${option} qu’une fois`,
  notOneOf: (option, choices) => `Valeurs possibles de l’option ${option} : ${choices}`,
  eraseNeedsOne: 'erase exige soit une référence, soit --email avec une adresse',

  noMessageFrom: (email) => `Il n’y a pas de message de ${email}.`,
  moreMessages: 'Il y en a de plus anciens; export les écrit tous.',
  changes: {
    released: (reference) => `Le message ${reference} n’est plus mis à part; il sera envoyé.`,
    archived: (reference) => `Le message ${reference} est marqué comme réglé.`,
    retried: (reference) => `Le message ${reference} sera envoyé tout de suite.`,
    queued: (reference) =>
      `Le message ${reference} est dans la file d’envoi; il sera envoyé dès que le courriel fonctionne.`,
    gone: (reference) => `Le message ${reference} a déjà été effacé.`,
    unknown: (reference) => `Il n’y a pas de message ${reference}.`,
    'not-quarantined': (reference) => `Le message ${reference} n’est pas mis à part.`,
    'not-waiting': (reference) =>
      `Le message ${reference} n’attend pas d’être envoyé, ou est en cours d’envoi; « show ${reference} » indique son état.`,
  },
  retriedCount: 'Messages remis dans la file d’envoi',

  erased: 'Messages effacés',
  purged: 'Messages effacés parce que leur délai est dépassé',
  remainder:
    'Les copies de sauvegarde, les exportations et les courriels déjà envoyés contiennent encore le texte.',
  scrubBusy: 'D’autres lecteurs occupaient la base de données.',
  scrubFailed:
    'Ses fichiers contiennent peut-être encore le texte de messages effacés : lancez « purge » quand la cause aura disparu.',
  scrubUnsupported:
    'Les fichiers et le WAL de PostgreSQL contiennent encore le texte. PostgreSQL le remplace après VACUUM et un point de contrôle; supprimez vous-même le WAL archivé.',

  exported: 'Messages exportés',
  checked: 'Messages contrôlés',
  imported: 'Messages importés',
  present: 'Messages déjà présents',
  different: 'Non importés, parce que ces références désignent déjà d’autres messages ici :',
  erasedHere: 'Non importés, parce qu’ils ont été effacés de cette boîte de réception :',
  lineTooLong: (line) => `La ligne ${line} est trop longue. Rien n’a été importé.`,
  notUtf8: (line) => `La ligne ${line} n’est pas en UTF-8. Rien n’a été importé.`,
  notAnObject: (line) => `La ligne ${line} n’est pas un objet JSON. Rien n’a été importé.`,
  wrongField: (line, field) =>
    `Ligne ${line}, ${field} : la valeur manque ou n’est pas valide. Rien n’a été importé.`,

  fileErrors: {
    EEXIST: 'existe déjà; une copie ne remplace jamais un fichier',
    ENOENT: 'n’existe pas',
    ENOTDIR: 'n’est pas un dossier',
    ESPIPE: 'ne peut pas être lu deux fois; enregistrez d’abord l’exportation dans un fichier',
    EISDIR: 'est un dossier',
    EACCES: 'n’est pas accessible à cet utilisateur',
    EPERM: 'n’est pas accessible à cet utilisateur',
    EROFS: 'est en lecture seule',
    ENOSPC: 'n’a plus de place',
    EIO: 'n’a pas pu être lu ou écrit : plus de place, ou erreur du disque',
    ENOTSUP:
      'se copie pendant son utilisation avec pg_dump --format=custom --exclude-table-data=receipts --exclude-table-data=hits "$DATABASE_URL" > FICHIER. « export --format jsonl » convient aussi.',
    UNSOUND: 'n’a pas été écrit : la copie a des défauts; « verify » les nomme',
  },
  unusable: (code) => `n’est pas utilisable : ${code}`,

  copying: 'Copie et vérification',
  copied: (file) => `La boîte de réception est copiée dans ${file}, et la copie a été vérifiée.`,
  checking: 'Vérification de la base de données',
  verified: 'Messages vérifiés',
  isSound: 'La boîte de réception est en ordre.',
  storeFaults: {
    damaged: 'la base de données est endommagée',
    orphan: 'ligne qui n’appartient à rien',
    'no-outbox-row': 'message absent de la file d’envoi',
    'no-message': 'ligne de la file d’envoi sans message',
    'new-not-queued': 'à envoyer, mais absent de la file',
    'queued-not-new': 'dans la file, mais pas à envoyer',
    changed: 'modifié depuis sa réception',
  },
  statuses: {
    new: 'à envoyer',
    mailed: 'envoyé',
    dead: 'abandonné',
    quarantined: 'mis à part',
    archived: 'réglé',
  },
  outcomes: {
    mailed: 'accepté',
    later: 'remis à plus tard',
    refused: 'refusé, remis à plus tard',
    misconfigured: 'remis à plus tard à cause d’un mauvais réglage',
    dead: 'abandonné',
  },
  timeZone: 'heure de Toronto',
  languages: { fr: 'français', en: 'anglais' },
  services: content.contact.form.services,
  fields: {
    reference: 'Référence',
    receivedAt: 'Reçu',
    status: 'État',
    lastTry: 'Dernier essai',
    trapped: 'Champs cachés remplis',
    firstName: 'Prénom',
    lastName: 'Nom',
    name: 'Nom',
    email: 'Courriel',
    service: 'Secteur',
    language: 'Langue',
    message: 'Message',
  },
  figures: {
    oldest: 'le plus ancien',
    newest: 'le plus récent',
    nextMail: 'prochain envoi',
    none: 'aucun',
    mailIsOff: 'courriel non configuré',
  },

  unavailable: ({ reason }) => `La boîte de réception n’est pas disponible. ${UNAVAILABLE[reason]}`,
  notNoted: ({ reason }) =>
    `La boîte de réception n’a pas pu noter cette lecture dans sa table d’audit. ${UNAVAILABLE[reason]}`,
  wrongSettings({ message }) {
    const details = message.split('\n').slice(1).join('\n')
    return `Ces variables d’environnement sont incorrectes (détails en anglais) :\n${details}`
  },
  failed: (message) => `La commande a échoué : ${message}`,
  colon: ' :',
}
