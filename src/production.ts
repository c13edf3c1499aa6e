// The first import of the program: Elysia reads NODE_ENV when it is loaded, and would otherwise run in development mode.
Bun.env.NODE_ENV = 'production';
