import type { Words } from '../words.ts';

export const book: Words['book'] = {
  code: 'Código',
  table: 'Tabela',
  text: 'Texto',
  formula: 'Fórmula',
  note: 'Nota',
  tip: 'Dica',
  important: 'Importante',
  warning: 'Atenção',
  caution: 'Cuidado',
  toDo: 'A fazer',
  done: 'Feito',
  notes: 'Notas',
  backToText: 'Voltar ao texto',
  cover: 'Capa',
  contents: 'Sumário',
  untitled: 'Sem título',
};
