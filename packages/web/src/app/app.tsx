export function App() {
  return <main className="p-10 text-lg">Longhaul</main>
}
