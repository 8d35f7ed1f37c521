"""The programs that can run a network, behind one interface.

"onnxruntime" is what the product comes with; "openvino" reads the same files (extra `openvino`); "ultralytics" runs
weights of one's own, as PyTorch made them (extra `train`). `lawn export` keeps a network only when all that are
installed agree on it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

Backend = Literal["onnxruntime", "openvino", "ultralytics"]
THREADS = 0
"""Threads that ONNX Runtime computes with; 0 leaves it to choose."""
BACKENDS: tuple[Backend, ...] = get_args(Backend)


class ModelError(ValueError):
    """The network's file is missing or is not one of ours; the message names the file and what to do."""


class Network(Protocol):
    """A loaded network. notes: what `lawn export` wrote into the file: "names", "stride", "temperature"."""

    notes: Mapping[str, str]

    def run(self, pictures: NDArray[np.float32]) -> NDArray[np.float32]:
        """The network's first output for pictures (N, 3, H, W) float32."""
        ...

    def run_all(self, pictures: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """All of its outputs."""
        ...


def open_network(path: Path, backend: Backend = "onnxruntime") -> Network:
    """Load a file of weights. Raises ModelError when it is missing or unusable with that backend."""
    if not path.is_file():
        raise ModelError(f"{path}: there is no such file of weights.")
    if backend == "ultralytics":
        return _Ultralytics(path)
    if path.suffix.lower() == ".pt":
        raise ModelError(f"{path}: weights of this kind need --backend ultralytics.")
    return _OpenVino(path) if backend == "openvino" else _OnnxRuntime(path)


class _OnnxRuntime:
    def __init__(self, path: Path) -> None:
        import onnxruntime  # takes a third of a second, so only when a network is needed

        onnxruntime.set_default_logger_severity(3)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = THREADS
        # Threads that wait for work by spinning would heat a laptop for nothing between two looks.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._session = onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # ONNX Runtime has no common base class for its errors
            raise ModelError(f"{path}: not a network that ONNX Runtime can load.") from error
        self._input = self._session.get_inputs()[0].name
        self.notes: Mapping[str, str] = dict(self._session.get_modelmeta().custom_metadata_map)

    def run(self, pictures: NDArray[np.float32]) -> NDArray[np.float32]:
        return self.run_all(pictures)[0]

    def run_all(self, pictures: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        outputs: Any = self._session.run(None, {self._input: pictures})
        return [np.asarray(output, np.float32) for output in outputs]


class _OpenVino:
    def __init__(self, path: Path) -> None:
        try:
            import openvino
        except ModuleNotFoundError as error:
            raise ModelError(
                "--backend openvino needs OpenVINO; in the project's folder, run: pip install -e '.[openvino]'"
            ) from error
        # OpenVINO drops an ONNX file's notes, and refuses no fewer files than ONNX Runtime does.
        self.notes = _OnnxRuntime(path).notes
        core = openvino.Core()
        # Left to itself it computes in 16 bits where a processor can, and readings would depend on the machine.
        settings = {"INFERENCE_PRECISION_HINT": "f32", "PERFORMANCE_HINT": "LATENCY"}
        try:
            self._compiled = core.compile_model(core.read_model(str(path)), "CPU", settings)
        except Exception as error:  # OpenVINO raises RuntimeErrors of many kinds
            raise ModelError(f"{path}: not a network that OpenVINO can load.") from error

    def run(self, pictures: NDArray[np.float32]) -> NDArray[np.float32]:
        return self.run_all(pictures)[0]

    def run_all(self, pictures: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        outputs = self._compiled(pictures)
        return [np.array(outputs[at], np.float32) for at in range(len(outputs))]


class _Ultralytics:
    def __init__(self, path: Path) -> None:
        try:
            import torch
            from ultralytics import YOLO
        except ModuleNotFoundError as error:
            raise ModelError(
                "--backend ultralytics needs PyTorch; in the project's folder, run: pip install -e '.[train]'"
            ) from error
        try:
            loaded = YOLO(str(path), task="detect")
            self._model = loaded.model.float().eval()
            names = {str(key): str(name) for key, name in sorted(loaded.names.items())}
            stride = int(max(self._model.stride))
        except Exception as error:  # torch and ultralytics raise a dozen kinds for a bad file
            raise ModelError(f"{path}: not weights that ultralytics can load.") from error
        self._torch = torch
        self.notes: Mapping[str, str] = {"names": json.dumps(names), "stride": str(stride)}

    def run(self, pictures: NDArray[np.float32]) -> NDArray[np.float32]:
        return self.run_all(pictures)[0]

    def run_all(self, pictures: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        with self._torch.inference_mode():
            output = self._model(self._torch.from_numpy(pictures))
        return [np.asarray((output[0] if isinstance(output, tuple | list) else output).numpy())]
