import type { Words } from '../words.ts';

export const browser: Words['browser'] = {
  copy: 'Copier',
  copied: 'Copié',
  notCopied: 'Non copié',
  selected: 'Sélectionné',
  copyCode: 'Copier le code',
  copyLink: 'Copier le lien',
  show: 'Afficher',
  hide: 'Masquer',
  unreachable: 'La boutique est injoignable pour le moment. Rien n’a été modifié.',
  deleteNote: 'Supprimer cette note et ce que vous y avez écrit ?',
  yourNote: 'Votre note',
  unsent: 'Gardé sur cet appareil, et envoyé dès que le réseau revient :',
  loseUnsent:
    'Certaines notes n’ont pas encore été envoyées, et seront supprimées si vous vous déconnectez. Se déconnecter ?',
};
