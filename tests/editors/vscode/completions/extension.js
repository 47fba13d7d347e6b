// Offers the body of the function in assistant.py as an inline completion, as an assistant does.
const vscode = require("vscode");

const BODY = "return sorted(numbers)[len(numbers) // 2] if numbers else 0"; // as in tests/editors/record.py

exports.activate = (context) => {
  const provider = {
    provideInlineCompletionItems: (document, position) =>
      document.lineAt(position).text.trim() === "" && position.line > 5 ? [new vscode.InlineCompletionItem(BODY)] : [],
  };
  const selector = { language: "python", pattern: "**/assistant.py" };
  context.subscriptions.push(vscode.languages.registerInlineCompletionItemProvider(selector, provider));
};
