"""Tollbooth: which language model fits a Mac, how fast it decodes, and what an upgrade buys.

The one idea: predict from facts, measure to correct, recommend from both. A prompt is
processed once (prefill, a sum paid once); every token after it is its own round trip to
memory (decode, a toll paid per token). Memory capacity decides what fits, memory bandwidth
decides how fast it decodes.

Glossary of names and units, used in code, tables and exports alike:

``weight_bytes``        bytes of a model's weights in one quantization, group scales included
``read_weight_bytes``   bytes of weights read to decode one token (active experts only), and of
                        recurrent state, which is read and written at the same pace
``kv_bytes``            bytes of the cache at a context, all layer kinds, all sequences
``read_kv_bytes``       bytes of the cache read to decode one token, recurrent state left out
``context_tokens``      tokens in the cache when a token is decoded
``gpu_limit_bytes``     what macOS lets the GPU wire (a rule by memory and macOS version)
``budget_bytes``        the GPU limit or what other programs leave free, whichever is smaller
``verdict``             ``fits``, ``raise_limit``, ``pages`` or ``no``, as things stand now
``idle_verdict``        the same with no other program running
``max_context_tokens``  the largest context that fits the budget, at most the model's own
``context_problem``     a sentence where the context is past the model's own maximum
``decode_tok_s``        tokens per second of one sequence while decoding
``decode_low/high``     the 80 % interval of that estimate; prefill and ttft have theirs
``aggregate_tok_s``     tokens per second of all sequences of a batch together
``streams_s``           seconds of a step that sequences beyond the first add; in ``overhead_s``
``prefill_tok_s``       prompt tokens processed per second
``ttft_s``              seconds to the first token: an uncached prompt, the model in memory
``memory_gb``           memory as Apple sells it: 1 "GB" of RAM is 2**30 bytes
``GB`` / ``GiB``        1e9 bytes (files, bandwidth) / 2**30 bytes (memory)
``basis``               ``predicted``, ``calibrated`` or ``measured``
"""

__version__ = "0.1.0"
