import type { Words } from '../words.ts';

export const assistants: Words['assistants'] = {
  title: 'Connecter un assistant',
  titleKey: 'Se connecter en ligne de commande',
  asksKey: ({ machine }) => `bookstall sur « ${machine} » demande une clé.`,
  mayKey:
    'La clé ouvre pendant 90 jours ce que vous pouvez lire ici. Elle figure sous « Clés », où vous pouvez la révoquer.',
  asks: ({ name }) => `${name} demande à lire votre bibliothèque ici.`,
  described: ({ host }) => `C’est ${host} qui dit qui il est.`,
  leadsTo: ({ host }) => `Vous serez ensuite conduit vers ${host}.`,
  local:
    'C’est un programme de votre propre ordinateur. Ne continuez que si vous venez de le lancer vous-même.',
  as: ({ email }) => `Il agit au nom de ${email}.`,
  may: 'Il peut chercher, lire et lister ce que vous pouvez lire ici, et rien d’autre de votre compte.',
  ask: 'Poser des questions aux livres, ce que paient peut-être ceux qui tiennent cette boutique',
  notes: 'Lire mes propres notes',
  connect: 'Connecter',
  other: 'Utiliser un autre compte',
  refuse: 'Ne pas connecter',
  wrong: 'Connexion impossible',
  client:
    'Le programme n’a pas dit qui il est sous une forme connue ici. Connectez-le à nouveau depuis ses propres réglages.',
  document:
    'L’identité du programme n’a pas pu être lue à l’adresse qu’il indique. Réessayez dans une minute.',
  redirect:
    'Le programme demande à vous conduire à une adresse qu’il n’avait pas indiquée. Connectez-le à nouveau depuis ses propres réglages.',
  request: 'Le programme a fait une demande à laquelle on ne peut pas répondre ici.',
  back: ({ name }) => `Retour à ${name}`,
  once: 'Cette page a déjà servi. Connectez à nouveau depuis les réglages de votre assistant.',
  list: 'Assistants',
  lead: 'Assistants qui lisent ici en votre nom. Chacun peut lire ce que vous pouvez lire ; déconnecté, il ne peut plus rien dès sa prochaine requête.',
  none: 'Aucun assistant. Claude, ChatGPT et d’autres peuvent lire vos livres : ajoutez un connecteur avec l’adresse ci-dessous, puis connectez-vous.',
  address: 'Adresse pour votre assistant',
  since: 'Depuis',
  lastUsed: 'Dernière utilisation',
  disconnectToo: 'Déconnecter aussi les assistants',
  disconnect: 'Déconnecter',
  ended: 'Terminé',
  endedReuse: 'Terminé, car son jeton a servi deux fois : quelqu’un l’a peut-être copié',
  save: 'Enregistrer',
  way: 'Claude, ChatGPT et d’autres : ajoutez un connecteur avec cette adresse, puis connectez-vous.',
  claude: 'Claude : Réglages, Connecteurs, « Add custom connector », puis « Connect ».',
  chatgpt:
    'ChatGPT : Réglages, « Apps & Connectors », « Advanced settings » : activez « Developer mode », puis « Create ».',
  all: 'Vos assistants',
};
