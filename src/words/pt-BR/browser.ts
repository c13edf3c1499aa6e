import type { Words } from '../words.ts';

export const browser: Words['browser'] = {
  copy: 'Copiar',
  copied: 'Copiado',
  notCopied: 'Não copiado',
  selected: 'Selecionado',
  copyCode: 'Copiar código',
  copyLink: 'Copiar link',
  show: 'Mostrar',
  hide: 'Ocultar',
  unreachable: 'Não foi possível acessar a loja agora. Nada foi alterado.',
  deleteNote: 'Excluir esta nota com o que você escreveu?',
  yourNote: 'Sua nota',
  unsent: 'Guardado neste aparelho; será enviado quando houver conexão:',
  loseUnsent: 'Algumas notas ainda não foram enviadas e serão excluídas se você sair. Sair mesmo assim?',
};
