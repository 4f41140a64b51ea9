# The same dependencies for a browser. What is compiled comes as Debian source packages, unpacked in
# NORMSCOPE_SOURCES by ./web.sh; what is only headers comes from its Debian package.
set(NORMSCOPE_SOURCES "" CACHE PATH "Folder with the unpacked sources of imgui, zlib, fmt, freetype, highway")

function(normscope_source out name)
  file(GLOB found ${NORMSCOPE_SOURCES}/${name}-*)
  list(FILTER found EXCLUDE REGEX "\\.(xz|gz|dsc)$")
  if(NOT found)
    message(FATAL_ERROR "NormScope needs the source of ${name} in NORMSCOPE_SOURCES (use ./web.sh)")
  endif()
  list(GET found 0 first)
  set(${out} ${first} PARENT_SCOPE)
endfunction()

# The system's other headers are not for this compiler, so that each folder is named by a link.
set(headers ${CMAKE_CURRENT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${headers})
foreach(folder nlohmann tl CLI)
  file(CREATE_LINK /usr/include/${folder} ${headers}/${folder} SYMBOLIC)
endforeach()
function(normscope_headers target folder)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE ${folder})
endfunction()
normscope_headers(Eigen3::Eigen /usr/include/eigen3)
normscope_headers(tl::expected ${headers})
normscope_headers(nlohmann_json::nlohmann_json ${headers})
normscope_headers(CLI11::CLI11 ${headers})

normscope_source(fmt fmtlib)
add_library(normscope_fmt STATIC fmt.cpp)
target_include_directories(normscope_fmt SYSTEM PUBLIC ${fmt}/include)
add_library(normscope::fmt ALIAS normscope_fmt)

normscope_source(zlib zlib)
set(parts adler32 compress crc32 deflate infback inffast inflate inftrees trees uncompr zutil)
list(TRANSFORM parts REPLACE "(.+)" "${zlib}/\\1.c")
add_library(normscope_zlib STATIC ${parts})
target_include_directories(normscope_zlib SYSTEM PUBLIC ${zlib})
add_library(normscope::zlib ALIAS normscope_zlib)

normscope_source(highway highway)
add_library(normscope_highway STATIC ${highway}/hwy/targets.cc ${highway}/hwy/aligned_allocator.cc)
target_include_directories(normscope_highway SYSTEM PUBLIC ${highway})
add_library(hwy::hwy ALIAS normscope_highway)

normscope_source(freetype freetype)
set(parts base/ftsystem base/ftinit base/ftdebug base/ftbase base/ftbbox base/ftglyph base/ftbitmap base/ftmm
  base/ftsynth truetype/truetype sfnt/sfnt smooth/smooth raster/raster psnames/psnames autofit/autofit
  cff/cff psaux/psaux pshinter/pshinter gzip/ftgzip)
list(TRANSFORM parts REPLACE "(.+)" "${freetype}/src/\\1.c")
add_library(normscope_freetype STATIC ${parts})
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/freetype/normscope_modules.h "\
FT_USE_MODULE(FT_Module_Class, autofit_module_class)
FT_USE_MODULE(FT_Driver_ClassRec, tt_driver_class)
FT_USE_MODULE(FT_Driver_ClassRec, cff_driver_class)
FT_USE_MODULE(FT_Module_Class, psaux_module_class)
FT_USE_MODULE(FT_Module_Class, psnames_module_class)
FT_USE_MODULE(FT_Module_Class, pshinter_module_class)
FT_USE_MODULE(FT_Module_Class, sfnt_module_class)
FT_USE_MODULE(FT_Renderer_Class, ft_smooth_renderer_class)
FT_USE_MODULE(FT_Renderer_Class, ft_raster1_renderer_class)
")
target_include_directories(normscope_freetype PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/freetype)
target_include_directories(normscope_freetype SYSTEM PUBLIC ${freetype}/include)
target_compile_definitions(normscope_freetype PRIVATE FT2_BUILD_LIBRARY
  FT_CONFIG_MODULES_H=<normscope_modules.h>)
add_library(normscope::freetype ALIAS normscope_freetype)

normscope_source(imgui imgui)
add_library(normscope_imgui STATIC ${imgui}/imgui.cpp ${imgui}/imgui_draw.cpp ${imgui}/imgui_tables.cpp
  ${imgui}/imgui_widgets.cpp ${imgui}/misc/freetype/imgui_freetype.cpp ${imgui}/misc/cpp/imgui_stdlib.cpp
  ${imgui}/backends/imgui_impl_glfw.cpp ${imgui}/backends/imgui_impl_opengl3.cpp)
target_include_directories(normscope_imgui SYSTEM PUBLIC ${imgui} ${imgui}/misc/freetype ${imgui}/misc/cpp
  ${imgui}/backends)
target_compile_definitions(normscope_imgui PUBLIC IMGUI_ENABLE_FREETYPE
  IMGUI_IMPL_OPENGL_ES3 "ImDrawIdx=unsigned int") # ES 3.0 adds no offset to 16 bits
target_link_libraries(normscope_imgui PUBLIC normscope::freetype)
file(MAKE_DIRECTORY ${headers}/imgui)
file(CREATE_LINK ${imgui}/backends ${headers}/imgui/backends SYMBOLIC)
target_include_directories(normscope_imgui SYSTEM INTERFACE ${headers}/imgui)
add_library(normscope::imgui ALIAS normscope_imgui)

add_library(normscope::glfw INTERFACE IMPORTED GLOBAL)
add_library(normscope::gl INTERFACE IMPORTED GLOBAL)
