import type { Words } from '../words.ts';
import type { MailFacts } from '../en/mail.ts';
import { yours } from './account.ts';

const MISTAKE = 'Si cette demande ne vient pas de vous, ignorez cet e-mail : rien ne change.';

const UNWANTED = 'Si cette demande ne vient pas de vous, ignorez cet e-mail : vous ne recevrez rien d’autre.';

const mayWrite = (stall: string): string =>
  `${stall} peut vous écrire au sujet des nouvelles éditions de ce que vous avez acheté. Vous pouvez vous y opposer à tout moment, d’un simple clic dans n’importe lequel de ces e-mails.`;

const forOthers = ({ copies, count }: Pick<MailFacts, 'copies' | 'count'>): readonly string[] =>
  copies === ''
    ? []
    : [
        count === '1'
          ? 'Vous avez acheté deux exemplaires. Transmettez ce lien : une autre personne pourra ajouter le second à sa bibliothèque.'
          : `Vous avez acheté plusieurs exemplaires. Transmettez ce lien : ${count} autres personnes pourront chacune ajouter un exemplaire à leur bibliothèque.`,
        copies,
      ];

const comingSoon = (titles: string): string =>
  `À paraître : ${titles}. Un e-mail vous avertira à la parution.`;

/** The mails in French: a sentence after "Bonjour," begins with a capital letter. */
export const mail: Words['mail'] = {
  hello: 'Bonjour,',
  yourPurchase: 'votre achat',
  reasons: {
    refunded: 'a été remboursée',
    lost: 'a été remboursée après un litige',
    disputed: 'est suspendue : son paiement fait l’objet d’un litige',
    revoked: 'a été fermée par la boutique',
    ended: 'a expiré',
  },
  sold: { live: 'Vente', test: 'Vente de test' },
  paid: {
    live: 'C’est une vente réelle.',
    test: 'C’est une vente de test : rien n’a été payé.',
  },
  claim: ({ stall, titles, ref, link, origin, read, epub, coming, ...others }) => [
    `Votre achat chez ${stall}`,
    `Merci pour votre commande : ${titles}. ${yours.title}.`,
    ...(coming === '' ? [] : [comingSoon(coming)]),
    read === ''
      ? 'Ouvrez ce lien pour ajouter votre achat à votre bibliothèque :'
      : 'Pour lire maintenant, ouvrez ce lien :',
    link,
    ...(epub === ''
      ? []
      : ['Sur la page suivante, vous pourrez aussi télécharger l’EPUB ou l’utiliser dans votre agent.']),
    `Ce lien fonctionne une seule fois, pendant 7 jours. S’il a expiré, demandez-en un autre sur ${origin}/claim.`,
    ...forOthers(others),
    mayWrite(stall),
    `Numéro de commande : ${ref}. Si vous n’avez rien acheté, quelqu’un s’est trompé d’adresse : ignorez cet e-mail.`,
  ],
  claimed: ({ stall, titles, ref, holder }) => [
    `Votre achat chez ${stall}`,
    `Merci pour votre commande : ${titles}.`,
    `Elle a déjà été ajoutée à la bibliothèque du compte ${holder}, connecté au moment où l’achat a été ouvert.`,
    `Si ce compte n’est pas le vôtre, répondez à cet e-mail en indiquant le numéro de commande ${ref}.`,
  ],
  library: ({ stall, titles, ref, read, epub, origin, coming, ...others }) => [
    `Dans votre bibliothèque chez ${stall}`,
    `Merci pour votre commande : ${titles}. ${yours.title}.`,
    ...(coming === '' ? [] : [comingSoon(coming)]),
    ...(read === '' ? [] : [`${yours.read} :\n${read}`]),
    ...(epub === '' ? [] : [`${yours.epub} :\n${epub}`]),
    `${yours.agent} :\n${origin}/dashboard/connect`,
    ...forOthers(others),
    mayWrite(stall),
    `Numéro de commande : ${ref}.`,
  ],
  ended: ({ stall, titles, ref, reason, origin }) => [
    `Votre commande chez ${stall} ${reason}`,
    `Votre commande ${ref} ${reason}. Elle ne donne donc plus accès à ${titles}. Pour toute question, répondez simplement à cet e-mail.`,
    'Pour revenir à la boutique :',
    origin,
  ],
  invite: ({ stall, link }) => [
    `Votre compte chez ${stall}`,
    `Un compte vous attend chez ${stall}. Ouvrez ce lien pour choisir un mot de passe :`,
    link,
    'Ce lien fonctionne une seule fois, pendant 72 heures.',
  ],
  helper: ({ stall, link, origin }) => [
    `Participer à ${stall}`,
    `${stall} vous invite à ajouter et à modifier ses livres et ses skills, et à répondre aux signalements des lecteurs. Ouvrez ce lien pour choisir un mot de passe :`,
    link,
    'Ce lien fonctionne une seule fois, pendant 72 heures. Votre travail vous attend ensuite ici :',
    `${origin}/admin/items`,
  ],
  reset: ({ stall, link }) => [
    `Nouveau mot de passe chez ${stall}`,
    `Quelqu’un, sans doute vous, a demandé un nouveau mot de passe chez ${stall}. Ouvrez ce lien pour le choisir :`,
    link,
    'Ce lien fonctionne une seule fois, pendant 72 heures.',
    MISTAKE,
  ],
  'sign-in': ({ stall, link }) => [
    `Connexion à ${stall}`,
    `Quelqu’un, sans doute vous, a demandé à se connecter chez ${stall}. Ouvrez ce lien dans le même navigateur :`,
    link,
    'Dans un autre navigateur, il affiche un code à saisir là où vous l’avez demandé. Il fonctionne une seule fois, pendant 30 minutes.',
    MISTAKE,
  ],
  open: ({ stall, link }) => [
    `Créez votre compte chez ${stall}`,
    `Ouvrez ce lien pour choisir un mot de passe ; votre compte chez ${stall} sera alors créé :`,
    link,
    'Ce lien fonctionne une seule fois, pendant 72 heures.',
    MISTAKE,
  ],
  email: ({ stall, link }) => [
    `Confirmez votre nouvelle adresse chez ${stall}`,
    `Quelqu’un, sans doute vous, a demandé que cette adresse devienne celle de son compte chez ${stall}. Ouvrez ce lien pour la confirmer :`,
    link,
    'Ce lien fonctionne une seule fois, pendant 24 heures.',
    MISTAKE,
  ],
  taken: ({ stall, origin }) => [
    `Vous avez un compte chez ${stall}`,
    'Quelqu’un, peut-être vous, a demandé que cette adresse devienne celle d’un autre compte. Un compte existe déjà à cette adresse : rien ne change. Connectez-vous ici :',
    `${origin}/sign-in`,
  ],
  moving: ({ stall, holder, origin }) => [
    `Votre adresse chez ${stall} va changer`,
    `Quelqu’un qui connaît votre mot de passe a demandé de remplacer l’adresse de votre compte par ${holder}. Rien ne change tant que le lien envoyé à cette adresse n’a pas été ouvert.`,
    'Si ce n’était pas vous, choisissez tout de suite un autre mot de passe. Le lien envoyé à cette adresse sera alors annulé et tous les autres navigateurs seront déconnectés. C’est ici :',
    `${origin}/forgot`,
    'Si l’adresse a déjà changé, répondez à cet e-mail ou écrivez à la boutique.',
  ],
  'wrong-codes': ({ stall, origin }) => [
    `Codes erronés pour votre compte chez ${stall}`,
    'En une journée, quelqu’un a saisi dix codes erronés lors de la validation en deux étapes de votre compte. Cette personne connaît votre mot de passe ou dispose d’un lien d’accès à votre compte. Elle n’a pas pu se connecter.',
    'Si ce n’était pas vous, choisissez tout de suite un autre mot de passe :',
    `${origin}/dashboard/account/password`,
  ],
  'step-off': ({ stall, origin }) => [
    `Votre validation en deux étapes chez ${stall} est désactivée`,
    'La validation en deux étapes de votre compte a été désactivée. Votre mot de passe seul suffit désormais pour se connecter.',
    'Si ce n’était pas vous, choisissez tout de suite un autre mot de passe, puis réactivez-la :',
    `${origin}/dashboard/account`,
  ],
  attention: ({ stall, count, origin }) => [
    count === '1'
      ? `Une commande chez ${stall} nécessite votre intervention`
      : `${count} commandes chez ${stall} nécessitent votre intervention`,
    count === '1'
      ? 'Une commande nécessite votre intervention :'
      : `${count} commandes nécessitent votre intervention :`,
    `${origin}/admin/orders`,
  ],
  reports: ({ stall, count, origin }) => [
    count === '1'
      ? `Un lecteur de ${stall} vous signale quelque chose`
      : `${count} messages de lecteurs de ${stall}`,
    count === '1'
      ? 'Un message de lecteur est en attente :'
      : `${count} messages de lecteurs sont en attente :`,
    `${origin}/admin/reports`,
  ],
  answered: ({ stall, titles, state, answer, origin }) => [
    `Votre message chez ${stall}`,
    `Votre message à propos de ${titles} est marqué « ${state} ».`,
    ...(answer === '' ? [] : [answer]),
    `Tout ce que vous avez envoyé aux auteurs se trouve ici :\n${origin}/dashboard/notes#sent`,
  ],
  sale: ({ stall, titles, price, ref, sold, paid, buyer, count, order }) => [
    `${sold} chez ${stall} : ${titles}`,
    `Vous avez vendu ${titles} pour ${price}. ${paid}`,
    `Acheteur : ${buyer}
Exemplaires : ${count}
Commande : ${ref}`,
    order,
  ],
  'e-reader': ({ stall, titles }) => [
    `Votre livre de ${stall}`,
    `voici ${titles} pour votre liseuse. Vous l’avez demandé chez ${stall}.`,
  ],
  published: ({ stall, titles, read }) => [
    `Parution chez ${stall} : ${titles}`,
    `Nouvelle parution, déjà dans votre bibliothèque : ${titles}.`,
    `${yours.read} :\n${read}`,
  ],
  news: ({ stall, titles, news, link, read }) => [
    `Du nouveau chez ${stall} : ${titles}`,
    news,
    `À ouvrir ici :\n${read}`,
    `Vous recevez cet e-mail parce que vous possédez ou avez acheté ${titles}. Pour ne plus recevoir ces e-mails de ${stall}, ouvrez ce lien :`,
    link,
  ],
  subscribe: ({ stall, link }) => [
    `Confirmez votre adresse pour les nouveautés de ${stall}`,
    `Quelqu’un, sans doute vous, a demandé à recevoir les nouveautés de ${stall} à cette adresse. Ouvrez ce lien pour la confirmer :`,
    link,
    'Ce lien est valable 7 jours.',
    UNWANTED,
  ],
  'tell-me': ({ stall, titles, link }) => [
    `Confirmez votre demande d’alerte chez ${stall} : parution de ${titles}`,
    `Quelqu’un, sans doute vous, a demandé un e-mail à la parution de ${titles}. Ouvrez ce lien pour confirmer votre adresse :`,
    link,
    'Ce lien est valable 7 jours. Vous recevrez un seul e-mail à la parution, puis votre adresse sera effacée.',
    UNWANTED,
  ],
  told: ({ stall, titles, link, read }) => [
    `Parution chez ${stall} : ${titles}`,
    `Comme vous l’aviez demandé, nous vous annonçons la parution de ${titles}.`,
    `À ouvrir ici :\n${read}`,
    'C’était le seul e-mail que vous aviez demandé. Si vous ne voulez plus aucun e-mail de cette boutique, ouvrez ce lien :',
    link,
  ],
  bulletin: ({ stall, titles, news, link, read }) => [
    `Du nouveau chez ${stall} : ${titles}`,
    news,
    `À ouvrir ici :\n${read}`,
    `Vous recevez cet e-mail parce que vous avez demandé les nouveautés de ${stall}. Pour vous désabonner, ouvrez ce lien :`,
    link,
  ],
};
