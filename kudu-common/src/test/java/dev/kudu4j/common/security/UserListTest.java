package dev.kudu4j.common.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.status.KuduException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserListTest {
  @Test
  void namesAreSeparatedByCommas() {
    UserList list = UserList.parse("user_acl", "ada, bob,");
    assertThat(list.contains("ada")).isTrue();
    assertThat(list.contains("bob")).isTrue();
    assertThat(list.contains("eve")).isFalse();
    assertThat(list.contains("")).isFalse();
  }

  @Test
  void aStarMeansEverybodyAndAnEmptyListNobody() {
    assertThat(UserList.parse("user_acl", "*").contains("anybody")).isTrue();
    assertThat(UserList.parse("user_acl", "ada,*").contains("anybody")).isTrue();
    assertThat(UserList.parse("user_acl", "").contains("ada")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"!ada", "@group", "ada smith", "+ada", "*a", "'ada'"})
  void reservedFormsAreRejected(String text) {
    assertThatThrownBy(() -> UserList.parse("user_acl", text))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("--user_acl");
  }
}
