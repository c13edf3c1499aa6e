import type { Words } from '../words.ts';

export const assistants: Words['assistants'] = {
  title: 'Conectar un asistente',
  titleKey: 'Iniciar sesión en la línea de comandos',
  asksKey: ({ machine }) => `bookstall en «${machine}» pide una clave.`,
  mayKey:
    'La clave abre durante 90 días lo que usted puede leer aquí. Figura en «Claves», donde puede revocarla.',
  asks: ({ name }) => `${name} pide leer su biblioteca aquí.`,
  described: ({ host }) => `Quién es lo dice ${host}.`,
  leadsTo: ({ host }) => `Después se le llevará a ${host}.`,
  local: 'Es un programa de su propio equipo. Siga solo si acaba de iniciarlo usted.',
  as: ({ email }) => `Actúa como ${email}.`,
  may: 'Puede buscar, leer y listar lo que usted puede leer aquí, y nada más de su cuenta.',
  ask: 'Hacer preguntas a los libros, que quizá pague quien lleva esta tienda',
  notes: 'Leer mis propias notas',
  connect: 'Conectar',
  other: 'Usar otra cuenta',
  refuse: 'No conectar',
  wrong: 'No se puede conectar',
  client:
    'El programa no ha dicho quién es de una forma que se conozca aquí. Conéctelo de nuevo desde sus propios ajustes.',
  document:
    'No se ha podido leer quién es el programa en la dirección que indica. Inténtelo de nuevo en un minuto.',
  redirect:
    'El programa pide llevarle a una dirección que no había indicado antes. Conéctelo de nuevo desde sus propios ajustes.',
  request: 'El programa ha preguntado de una forma que aquí no se puede responder.',
  back: ({ name }) => `Volver a ${name}`,
  once: 'Esta página ya se ha usado. Conecte de nuevo desde los ajustes de su asistente.',
  list: 'Asistentes',
  lead: 'Asistentes que leen aquí en su nombre. Cada uno puede leer lo que usted puede leer; al desconectarlo, deja de poder desde su siguiente petición.',
  none: 'No hay asistentes. Claude, ChatGPT y otros pueden leer sus libros: añada un conector con la dirección de abajo e inicie sesión.',
  address: 'Dirección para su asistente',
  since: 'Desde',
  lastUsed: 'Último uso',
  disconnectToo: 'Desconectar también los asistentes',
  disconnect: 'Desconectar',
  ended: 'Terminado',
  endedReuse: 'Terminado, porque su token se usó dos veces: puede que alguien lo haya copiado',
  save: 'Guardar',
  way: 'Claude, ChatGPT y otros: añada un conector con esta dirección e inicie sesión.',
  claude: 'Claude: Ajustes, Conectores, «Add custom connector»; después «Connect».',
  chatgpt:
    'ChatGPT: Ajustes, «Apps & Connectors», «Advanced settings»: active «Developer mode»; después «Create».',
  all: 'Sus asistentes',
};
