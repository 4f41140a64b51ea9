# Part of the install script: what the portable folder brings along beside the program.
set(root $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX})

# As deep in the folder as before: $ORIGIN in the program leads to the same places.
file(MAKE_DIRECTORY ${root}/libexec)
file(RENAME ${root}/bin/normscope ${root}/libexec/normscope)
file(INSTALL ${packaging}/start.sh DESTINATION ${root}/bin TYPE PROGRAM RENAME normscope)

# GLFW loads these when it opens a window.
set(loaded_later "")
foreach(name Xrandr Xi Xcursor Xinerama Xrender Xxf86vm X11-xcb)
  file(GLOB found ${library_folder}/lib${name}.so.?)
  list(APPEND loaded_later ${found})
endforeach()
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${program} LIBRARIES ${loaded_later}
  RESOLVED_DEPENDENCIES_VAR libraries
  PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|mvec|dl|rt|pthread|resolv)\\.so" "^lib(GL|GLX|GLdispatch|OpenGL|EGL)\\.so")
list(APPEND libraries ${loaded_later})
list(REMOVE_DUPLICATES libraries)

find_program(dpkg_query dpkg-query)
foreach(library ${libraries})
  set(folder lib/normscope)
  if(library MATCHES "/lib(stdc\\+\\+|gcc_s|X[^/]*|xcb[^/]*|bsd|md|z|expat)\\.so")
    set(folder lib/normscope/fallback)
  endif()
  file(INSTALL ${library} DESTINATION ${root}/${folder} FOLLOW_SYMLINK_CHAIN)
  if(dpkg_query)
    file(REAL_PATH ${library} real)
    execute_process(COMMAND ${dpkg_query} -S ${real} OUTPUT_VARIABLE owner ERROR_QUIET)
    if(owner MATCHES "^([^:]+):")
      file(INSTALL /usr/share/doc/${CMAKE_MATCH_1}/copyright
        DESTINATION ${root}/share/doc/normscope/libraries RENAME ${CMAKE_MATCH_1})
    endif()
  endif()
endforeach()

# For systems without any font.
set(fonts ${root}/share/normscope/fonts)
file(GLOB dejavu /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
  /usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf
  /usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf)
if(NOT dejavu)
  message(FATAL_ERROR "The portable folder needs fonts: apt-get install fonts-dejavu-core")
endif()
file(INSTALL ${dejavu} ${packaging}/fonts.conf DESTINATION ${fonts})
file(INSTALL /usr/share/doc/fonts-dejavu-core/copyright DESTINATION ${fonts})
