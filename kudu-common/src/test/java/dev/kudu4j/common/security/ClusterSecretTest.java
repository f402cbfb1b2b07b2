package dev.kudu4j.common.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.status.KuduException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterSecretTest {
  private static final byte[] A = "a".getBytes(UTF_8);
  private static final byte[] B = "b".getBytes(UTF_8);
  private static final byte[] AB = "ab".getBytes(UTF_8);
  private static final byte[] NONE = {};

  @TempDir private Path directory;

  @Test
  void isReadAsItWasWritten() throws IOException {
    ClusterSecret secret = ClusterSecret.random();
    Path file = directory.resolve("secret");

    secret.write(file);

    assertThat(ClusterSecret.read(file)).isEqualTo(secret).isNotEqualTo(ClusterSecret.random());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void doesNotReplaceAnExistingFile() throws IOException {
    Path file = directory.resolve("secret");
    ClusterSecret first = ClusterSecret.random();
    first.write(file);

    assertThatThrownBy(() -> ClusterSecret.random().write(file))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("already exists");
    assertThat(ClusterSecret.read(file)).isEqualTo(first);
  }

  @Test
  void readsAFileWithATrailingLineEnd() throws IOException {
    Path unix = file("0123456789abcdef0123456789abcdef\n", "rw-------");
    ClusterSecret secret = ClusterSecret.read(unix);
    Files.delete(unix);

    assertThat(ClusterSecret.read(file("0123456789abcdef0123456789abcdef", "r--------")))
        .isEqualTo(secret);
  }

  @Test
  void rejectsAFileWithOpenPermissions() throws IOException {
    for (String permissions : new String[] {"rw-r-----", "rw----r--", "rw--w----"}) {
      Path file = file("x".repeat(64), permissions);
      assertThatThrownBy(() -> ClusterSecret.read(file))
          .isInstanceOf(KuduException.class)
          .hasMessageContaining("chmod 600")
          .hasMessageContaining(permissions);
      Files.delete(file);
    }
  }

  @Test
  void rejectsSecretsThatAreTooShortTooLongOrMissing() throws IOException {
    Path shortOne = file("x".repeat(31) + "\n", "rw-------");
    assertThatThrownBy(() -> ClusterSecret.read(shortOne))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("31 bytes")
        .hasMessageContaining("at least 32");
    Files.delete(shortOne);

    Path longOne = file("x".repeat(4097), "rw-------");
    assertThatThrownBy(() -> ClusterSecret.read(longOne)).hasMessageContaining("more than 4096");
    Files.delete(longOne);

    assertThatThrownBy(() -> ClusterSecret.read(longOne)).hasMessageContaining("no cluster secret");
  }

  @Test
  void verifiesItsOwnProofsOnly() {
    ClusterSecret secret = ClusterSecret.random();
    byte[] proof = secret.prove("d", A, B);

    assertThat(proof).hasSize(32);
    assertThat(secret.verify(proof, "d", A, B)).isTrue();
    assertThat(secret.verify(proof, "e", A, B)).isFalse();
    assertThat(secret.verify(proof, "d", B, A)).isFalse();
    assertThat(secret.verify(proof, "d", AB)).isFalse();
    assertThat(secret.verify(proof, "d", AB, NONE)).isFalse();
    assertThat(secret.verify(proof, "d", A, B, NONE)).isFalse();
    assertThat(secret.verify(proof, "dab")).isFalse();
    assertThat(secret.verify(NONE, "d", A, B)).isFalse();
    assertThat(ClusterSecret.random().verify(proof, "d", A, B)).isFalse();
  }

  @Test
  void doesNotAppearInToString() throws IOException {
    assertThat(ClusterSecret.read(file("x".repeat(32), "rw-------")).toString())
        .doesNotContain("x");
  }

  private Path file(String text, String permissions) throws IOException {
    Path file = Files.writeString(directory.resolve("file"), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }
}
