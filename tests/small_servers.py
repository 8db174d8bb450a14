"""Small things to serve: a random model with a tokenizer, and a stub of OpenAI's interface."""

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests import small_models

TEMPLATE = "{% for m in messages %}{{ m['content'] }}\n{% endfor %}"


def save_small_model(folder: Path, layers: int = 2) -> Path:
    """A random model in float32 as mlx_lm.server loads it, a token a byte."""
    import mlx.core as mx
    from mlx_lm.models import qwen3
    from mlx_lm.utils import save_model
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    config = {**small_models.dense(layers), "eos_token_id": 300}
    model = qwen3.Model(qwen3.ModelArgs.from_dict(config))
    model.set_dtype(mx.float32)
    folder.mkdir(parents=True)
    save_model(folder, model)
    (folder / "config.json").write_text(json.dumps(config))
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {symbol: number for number, symbol in enumerate(alphabet)}
    vocabulary |= {f"<{number}>": number for number in range(len(alphabet), config["vocab_size"])}
    tokenizer = Tokenizer(models.BPE(vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<300>", chat_template=TEMPLATE
    ).save_pretrained(folder)
    return folder


@contextlib.contextmanager
def stub(port: int) -> Iterator[list[dict]]:
    """Answers chat and embeddings as OpenAI's interface does; yields the requests it got."""
    got: list[dict] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self._send({"object": "list", "data": []})

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            got.append({"path": self.path, **body})
            if "embeddings" in self.path:
                row = {"object": "embedding", "index": 0, "embedding": [0.5, 0.5]}
                answer = {"object": "list", "data": [row], "model": body["model"]}
            else:
                message = {"role": "assistant", "content": "from the stub"}
                choice = {"index": 0, "message": message, "finish_reason": "stop"}
                answer = {"id": "1", "object": "chat.completion", "created": 1,
                          "model": body["model"], "choices": [choice]}  # fmt: skip
            self._send({**answer, "usage": {"prompt_tokens": 1, "completion_tokens": 1,
                                            "total_tokens": 2}})  # fmt: skip

        def _send(self, value):
            data = json.dumps(value).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield got
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
